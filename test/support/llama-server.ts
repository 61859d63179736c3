import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export const USDC_POOL = 'aa70268e-4b52-42bf-a116-608b370f9501';

/** A loopback server in place of the DefiLlama yields API; it counts requests, but for those of `/lendBorrow`, which come beside others. */
export class LlamaServer {
  /** Answers `/pools`. */
  pools: Handler = json(answerOf([row()]));
  /** Answers `/lendBorrow`. */
  lending: Handler = json('[]');
  /** Answers everything else. */
  chart: Handler = status(404);
  /** Requests as `GET /pools`, in order. */
  readonly asked: string[] = [];
  connections = 0;
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      if (request.url?.endsWith('/lendBorrow')) return this.lending(request, response);
      this.asked.push(`${request.method} ${request.url}`);
      (request.url === '/pools' ? this.pools : this.chart)(request, response);
    });
    this.server.on('connection', () => this.connections++);
  }

  static async open(): Promise<LlamaServer> {
    const opened = new LlamaServer();
    await once(opened.server.listen(0, '127.0.0.1'), 'listening');
    return opened;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** A row of `/pools` with every field that DefiLlama sends. */
export const row = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  chain: 'Ethereum',
  project: 'aave-v3',
  symbol: 'USDC',
  tvlUsd: 152_003_211,
  apyBase: 5,
  apyReward: null,
  apy: 5,
  rewardTokens: null,
  pool: USDC_POOL,
  apyPct1D: -0.01,
  apyPct7D: 0.2,
  apyPct30D: null,
  stablecoin: true,
  ilRisk: 'no',
  exposure: 'single',
  predictions: { predictedClass: 'Stable/Up', predictedProbability: 61, binnedConfidence: 1 },
  poolMeta: null,
  mu: 4.5,
  sigma: 0.04,
  count: 1300,
  outlier: false,
  underlyingTokens: ['0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'],
  il7d: null,
  apyBase7d: null,
  apyMean30d: 4.9,
  volumeUsd1d: null,
  volumeUsd7d: null,
  apyBaseInception: null,
  ...over,
});

/** A point of a chart. */
export const point = (msAgo: number, over: Record<string, unknown> = {}): Record<string, unknown> => ({
  timestamp: new Date(Date.now() - msAgo).toISOString(),
  tvlUsd: 1_000_000,
  apy: 4,
  apyBase: 4,
  apyReward: null,
  il7d: null,
  apyBase7d: null,
  pricePerShare: null,
  ...over,
});

export const answerOf = (data: unknown): string => JSON.stringify({ status: 'success', data });

export function json(body: string, headers: Record<string, string> = {}): Handler {
  return (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);
}

export function status(code: number, headers: Record<string, string> = {}): Handler {
  return (_request, response) => void response.writeHead(code, headers).end('no');
}
