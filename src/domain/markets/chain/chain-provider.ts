import { HOUR_MS } from '../../kernel/clock.js';
import type { JsonSource } from '../../kernel/json-source.js';
import { ProviderFault } from './chain-faults.js';

export type Hex = `0x${string}`;

export interface Block {
  number: bigint;
  hash: Hex;
  /** Block timestamp; chains count whole seconds. */
  at: Date;
}

export interface RpcRequest {
  method: string;
  params: readonly unknown[];
}

/** Answer to one request; an error is the provider's own. */
export type RpcAnswer = { ok: true; result: unknown } | { ok: false; code: number; message: string };

export interface ProviderBounds {
  /** Deadline of one answer, from the first byte sent to the last one received. */
  timeoutMs: number;
  batchCalls: number;
}

/** Characters by which error texts are compared, which the provider controls. */
const COMPARED_CHARACTERS = 100;

/** Lookup methods that not every node supports. */
type LookupMethod = 'batches' | 'hashes';
/** Time for which a refused method is not tried again: nodes are upgraded, and gateways change them. */
const REFUSED_MS = 6 * HOUR_MS;

/** Deadlines within which all requests of a batch must be answered singly. */
const SINGLY = 4;

/** RPC provider of a chain. Its URL often contains an API key, so it is never shown: a provider is named by its position in the list and its host. */
export class ChainProvider {
  /** `2 rpc.example.com` */
  readonly name: string;
  private readonly url: string;
  private readonly headers: Readonly<Record<string, string>>;
  private readonly refusedUntil = new Map<LookupMethod, number>();

  /** @param position in the setting's list, from 1 */
  constructor(
    url: string,
    position: number,
    private readonly source: JsonSource,
    private readonly bounds: ProviderBounds,
    private readonly now: () => Date,
  ) {
    const parsed = new URL(url);
    const { username, password, host } = parsed;
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    this.headers =
      credentials === ':' ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
    parsed.username = parsed.password = '';
    this.url = parsed.href;
    this.name = `${position} ${host}`;
  }

  takes(method: LookupMethod): boolean {
    return this.now().getTime() >= (this.refusedUntil.get(method) ?? 0);
  }

  /** To be called once another method succeeded where this one failed. */
  refuse(method: LookupMethod): void {
    this.refusedUntil.set(method, this.now().getTime() + REFUSED_MS);
  }

  /** Sends requests, in batches where the node takes them; the answers are in order. Throws ProviderFault when any is missing. */
  async send(requests: readonly RpcRequest[]): Promise<RpcAnswer[]> {
    const answers: RpcAnswer[] = [];
    for (let from = 0; from < requests.length; from += this.bounds.batchCalls) {
      const batch = requests.slice(from, from + this.bounds.batchCalls);
      const asksTogether = batch.length > 1 && this.takes('batches');
      const together = asksTogether ? await this.together(batch) : null;
      answers.push(...(together ?? (await this.singly(batch))));
      if (asksTogether && together === null) this.refuse('batches');
    }
    return answers;
  }

  /** Sends one request. @throws ProviderFault also when the provider answers with an error */
  async ask(method: string, ...params: readonly unknown[]): Promise<unknown> {
    const [answer] = await this.send([{ method, params }]);
    return resultOf(answer!);
  }

  /**
   * Sends a batch. Nodes refuse batches in many ways, and no list has them all. A request that gets no answer in a batch
   * may get one when sent singly, and a call that failed in the batch may succeed. One request of each kind of error is therefore sent again.
   * @returns null when requests should be sent singly
   */
  private async together(requests: readonly RpcRequest[]): Promise<RpcAnswer[] | null> {
    const value = await this.post(requests.map(messageOf)).catch(nullForFault);
    // A batch may be answered in any order.
    const parts = Array.isArray(value) ? (value as unknown[]).filter(isRecord) : [];
    const byId = new Map(parts.map((part) => [part['id'], part]));
    const answers = requests.flatMap((_, id) => toAnswer(byId.get(id)) ?? []);
    if (answers.length < requests.length) return null;
    const kinds = new Map(
      answers.flatMap((answer, id) => (answer.ok ? [] : [[`${answer.code} ${answer.message}`, id]])),
    );
    for (const id of kinds.values()) if ((await this.singly([requests[id]!]))[0]!.ok) return null;
    return answers;
  }

  private async singly(requests: readonly RpcRequest[]): Promise<RpcAnswer[]> {
    const answers: RpcAnswer[] = [];
    const last = AbortSignal.timeout(this.bounds.timeoutMs * SINGLY);
    for (const request of requests) {
      const answer = toAnswer(await this.post(messageOf(request, 0), [last]));
      if (answer === null) throw new ProviderFault('malformed', 'an answer that is not JSON-RPC');
      answers.push(answer);
    }
    return answers;
  }

  /** Some nodes answer an error with another status than 200. @throws ProviderFault */
  private async post(message: object, deadlines: AbortSignal[] = []): Promise<unknown> {
    const posted = { body: JSON.stringify(message), headers: this.headers };
    const deadline = AbortSignal.any([AbortSignal.timeout(this.bounds.timeoutMs), ...deadlines]);
    const answer = await this.source.request(this.url, deadline, posted);
    if (answer.ok || toAnswer(answer.value)?.ok === false) return answer.value;
    throw new ProviderFault(answer.failure, answer.trouble);
  }
}

const messageOf = ({ method, params }: RpcRequest, id: number): object => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

/** @throws errors that are not the provider's fault */
export function nullForFault(error: unknown): null {
  if (error instanceof ProviderFault) return null;
  throw error;
}

/** @throws ProviderFault for an error */
export function resultOf(answer: RpcAnswer): unknown {
  // Its message may repeat the URL, and the key in it.
  if (!answer.ok) throw new ProviderFault('error', `error ${answer.code}`);
  return answer.result;
}

/** @returns null for anything but a JSON-RPC answer */
function toAnswer(value: unknown): RpcAnswer | null {
  if (!isRecord(value)) return null;
  const { error, result } = value;
  if (error === undefined || error === null) return result === undefined ? null : { ok: true, result };
  const { code, message } = isRecord(error) ? error : { code: NaN, message: error };
  // A list would be converted by recursion, however deep it is.
  const text = typeof message === 'string' ? message.slice(0, COMPARED_CHARACTERS) : '';
  return { ok: false, code: typeof code === 'object' ? NaN : Number(code), message: text };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const HASH = /^0x[0-9a-f]{64}$/;
const QUANTITY = /^0x[0-9a-f]{1,64}$/;

/** @throws ProviderFault for an invalid block */
export function toBlock(value: unknown): Block {
  if (!isRecord(value)) throw new ProviderFault('malformed', 'an invalid block');
  const { number, hash, timestamp } = value;
  const at = new Date(Number(toQuantity(timestamp)) * 1000);
  if (Number.isNaN(at.getTime())) throw new ProviderFault('malformed', 'an invalid block time');
  return { number: toQuantity(number), hash: toHash(hash), at };
}

export function toQuantity(value: unknown): bigint {
  if (typeof value !== 'string' || !QUANTITY.test(value))
    throw new ProviderFault('malformed', 'an invalid number');
  return BigInt(value);
}

/** @throws ProviderFault for anything but a 32-byte hash in lower case */
export function toHash(value: unknown): Hex {
  if (typeof value !== 'string' || !HASH.test(value)) throw new ProviderFault('malformed', 'an invalid hash');
  return value as Hex;
}

export const toHexNumber = (number: bigint): Hex => `0x${number.toString(16)}`;
