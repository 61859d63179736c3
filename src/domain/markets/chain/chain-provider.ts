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

/** Characters shown of an error text, which the provider controls. */
const SHOWN_CHARACTERS = 100;
const BATCHES_REFUSED = [-32600, -32700];

/** RPC provider of a chain. Its URL often contains an API key, so it is never shown: a provider is named by its position in the list and its host. */
export class ChainProvider {
  /** `2 rpc.example.com` */
  readonly name: string;
  private readonly url: string;
  private readonly headers: Readonly<Record<string, string>>;
  private takesBatches = true;
  /** Whether it reads state by block hash (EIP-1898); cleared at its first refusal. */
  readsByHash = true;

  /** @param position in the setting's list, from 1 */
  constructor(
    url: string,
    position: number,
    private readonly source: JsonSource,
    private readonly bounds: ProviderBounds,
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

  /** Sends requests in batches; the answers are in order. Throws ProviderFault when any is missing. */
  async send(requests: readonly RpcRequest[]): Promise<RpcAnswer[]> {
    const answers: RpcAnswer[] = [];
    for (let from = 0; from < requests.length;) {
      const size = this.takesBatches ? this.bounds.batchCalls : 1;
      const some = requests.slice(from, from + size);
      const answered = await this.exchange(some);
      if (answered === 'no_batches') this.takesBatches = false;
      else {
        answers.push(...answered);
        from += some.length;
      }
    }
    return answers;
  }

  /** Sends one request. @throws ProviderFault also when the provider answers with an error */
  async ask(method: string, ...params: readonly unknown[]): Promise<unknown> {
    const [answer] = await this.send([{ method, params }]);
    return resultOf(answer!);
  }

  private async exchange(requests: readonly RpcRequest[]): Promise<RpcAnswer[] | 'no_batches'> {
    const messages = requests.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }));
    const alone = messages.length === 1;
    const body = JSON.stringify(alone ? messages[0] : messages);
    const deadline = AbortSignal.timeout(this.bounds.timeoutMs);
    const answer = await this.source.request(this.url, deadline, { body, headers: this.headers });
    if (!answer.ok) throw new ProviderFault(answer.failure, answer.trouble);
    const { value } = answer;
    if (alone) return [toAnswer(value)];
    if (!Array.isArray(value)) {
      const refused = toAnswer(value);
      if (!refused.ok && BATCHES_REFUSED.includes(refused.code)) return 'no_batches';
      throw faultOf(refused);
    }
    // A batch may be answered in any order.
    const byId = new Map((value as unknown[]).filter(isRecord).map((one) => [one['id'], one]));
    return requests.map((_, id) => toAnswer(byId.get(id)));
  }
}

/** @throws ProviderFault for an error */
export function resultOf(answer: RpcAnswer): unknown {
  if (!answer.ok) throw faultOf(answer);
  return answer.result;
}

const faultOf = (answer: RpcAnswer): ProviderFault =>
  answer.ok
    ? new ProviderFault('malformed', 'one answer for many requests')
    : // Its words may repeat the URL, and the key in it.
      new ProviderFault('error', `error ${answer.code}`);

function toAnswer(value: unknown): RpcAnswer {
  if (!isRecord(value)) throw new ProviderFault('malformed', 'an answer that is not JSON-RPC');
  const { error, result } = value;
  if (isRecord(error)) {
    const { code, message } = error;
    // A list would be converted by recursion, however deep it is.
    const text = typeof message === 'string' ? message.slice(0, SHOWN_CHARACTERS) : '';
    return { ok: false, code: typeof code === 'object' ? NaN : Number(code), message: text };
  }
  if (result === undefined) throw new ProviderFault('malformed', 'an answer that is not JSON-RPC');
  return { ok: true, result };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const HASH = /^0x[0-9a-f]{64}$/;
const QUANTITY = /^0x[0-9a-f]{1,64}$/;

/** @throws ProviderFault for an invalid block */
export function toBlock(value: unknown): Block {
  if (!isRecord(value)) throw new ProviderFault('malformed', 'an invalid block');
  const { number, hash, timestamp } = value;
  return {
    number: toQuantity(number),
    hash: toHash(hash),
    at: new Date(Number(toQuantity(timestamp)) * 1000),
  };
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
