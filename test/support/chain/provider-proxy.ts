import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Request {
  id: unknown;
  method: string;
  params: unknown[];
}
export interface Answer {
  id: unknown;
  result?: unknown;
  error?: unknown;
}
/** A whole HTTP answer, or a connection that is reset instead. */
export type Reply = { status?: number; body: unknown } | 'reset';

/** Ways of a node: what it answers to a batch, and to a single request, instead of the chain's own answers. */
export interface Ways {
  batch?: (answers: Answer[], requests: Request[]) => Reply;
  /** undefined: the chain's own answer. */
  single?: (request: Request, answer: Answer) => Answer | Reply | undefined | Promise<undefined>;
}

/**
 * Faults of a provider. `lag`: its newest and its finalized block are behind. `lie`: its blocks have other hashes. `price`: contracts return twice
 * the value. `logs`: receipts lack their logs. `receipts`: it knows no transaction. `timeout`: it never answers. `cut`: it breaks off within an
 * answer.
 */
export type Mood =
  | 'honest'
  | { lag: number }
  | 'lie'
  | 'price'
  | 'logs'
  | 'receipts'
  | 'timeout'
  | 'cut'
  | 'refuse'
  | 'endless'
  | 'forgets'
  | Ways;

/** A provider in front of a chain: it passes the chain's answers on, changed by its fault. */
export class ProviderProxy {
  mood: Mood = 'honest';
  /** Numbers of calls in the requests, in order. */
  readonly asked: number[] = [];
  private server: Server;

  private constructor(private readonly target: string) {}

  static async open(target: string): Promise<ProviderProxy> {
    const proxy = new ProviderProxy(target);
    proxy.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => void proxy.answer(Buffer.concat(chunks).toString(), response));
    });
    await once(proxy.server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  /** The URL, with an API key in it, as providers have. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v3/0123456789abcdef0123456789abcdef`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async answer(body: string, response: ServerResponse): Promise<void> {
    const asked = JSON.parse(body) as Request | Request[];
    const requests = Array.isArray(asked) ? asked : [asked];
    this.asked.push(requests.length);
    const { mood } = this;
    if (mood === 'timeout') return;
    if (mood === 'refuse') return void response.writeHead(429).end('slow down');
    if (mood === 'endless') return pour(response);
    const replies: (Answer | Reply)[] = [];
    for (const request of requests) {
      const answer = await this.answerTo(request);
      replies.push((isWays(mood) && (await mood.single?.(request, answer))) || answer);
    }
    if (!Array.isArray(asked) && isReply(replies[0]!)) return reply(response, replies[0]);
    const answers = replies.map((reply) => (isReply(reply) ? (reply as { body: Answer }).body : reply));
    if (Array.isArray(asked) && isWays(mood) && mood.batch)
      return reply(response, mood.batch(answers, requests));
    // The answers are in another order, which the standard of JSON-RPC batches allows.
    const text = JSON.stringify(Array.isArray(asked) ? answers.reverse() : answers[0]);
    if (mood !== 'cut') return void response.writeHead(200, JSON_TYPE).end(text);
    response.writeHead(200, { ...JSON_TYPE, 'content-length': text.length });
    response.write(text.slice(0, text.length / 2), () => response.destroy());
  }

  private async answerTo({ id, method, params }: Request): Promise<Answer> {
    const { mood } = this;
    const failed = (code: number, message: string): Answer => ({ id, error: { code, message } });
    const [, at] = params;
    if (mood === 'forgets' && method === 'eth_call') {
      const newest = (await this.ask('eth_getBlockByNumber', ['finalized', false])) as {
        result: { hash: string };
      };
      if ((at as { blockHash?: string }).blockHash !== newest.result.hash)
        return failed(-32000, 'missing trie node');
    }
    if (
      typeof mood === 'object' &&
      'lag' in mood &&
      method === 'eth_getBlockByNumber' &&
      params[0] === 'finalized'
    ) {
      const { result } = (await this.ask(method, params)) as { result: { number: string } };
      const number = Math.max(0, Number(result.number) - mood.lag);
      return { ...(await this.ask(method, [`0x${number.toString(16)}`, false])), id };
    }
    const answer = { ...(await this.ask(method, params)), id };
    if (mood === 'lie' && method === 'eth_getBlockByNumber') return bent(answer, lie);
    if (mood === 'price' && method === 'eth_call') return bent(answer, doubled);
    if (mood === 'logs' && method === 'eth_getTransactionReceipt')
      return bent(answer, (receipt) => receipt && { ...receipt, logs: [] });
    if (mood === 'receipts' && method === 'eth_getTransactionReceipt') return { id, result: null };
    return answer;
  }

  private async ask(method: string, params: unknown[]): Promise<Answer> {
    const response = await fetch(this.target, {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return (await response.json()) as Answer;
  }
}

const JSON_TYPE = { 'content-type': 'application/json' };

const isWays = (mood: Mood): mood is Ways => typeof mood === 'object' && !('lag' in mood);

const isReply = (item: Answer | Reply): item is Reply => item === 'reset' || 'body' in item;

function reply(response: ServerResponse, answer: Reply): void {
  if (answer === 'reset') return void response.socket!.resetAndDestroy();
  const { status = 200, body } = answer;
  response.writeHead(status, JSON_TYPE).end(typeof body === 'string' ? body : JSON.stringify(body));
}

const bent = ({ result, ...rest }: Answer, how: (result: unknown) => unknown): Answer => ({
  ...rest,
  result: how(result),
});

const lie = (block: unknown): unknown => block && { ...block, hash: `0x${'1e'.repeat(32)}` };

/** Doubles the last word: the number of an answer that has one. */
function doubled(data: unknown): unknown {
  const text = data as string;
  const last = BigInt(`0x${text.slice(-64)}`) * 2n;
  return text.slice(0, -64) + last.toString(16).padStart(64, '0');
}

function pour(response: ServerResponse): void {
  response.writeHead(200, JSON_TYPE);
  const more = (): void => {
    while (response.write('['.repeat(65_536)));
  };
  response.on('drain', more);
  more();
}
