import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contract } from '../../../src/config/environment.js';
import { PUBLIC_HOSTS } from '../../support/public-hosts.js';
import { Caller, type Outcome } from './caller.js';

/** The attacking tenant: its key, and the server's URL. */
export interface Tenant {
  url: string;
  key: string;
  userId: string;
  /** Keys of the tenant's further accounts, as many as the attack asks for. */
  otherKeys: readonly string[];
}

/** An attack of a hostile tenant within its limits. Requests that are refused are sent again. */
export interface Attack {
  what: string;
  contracts: readonly Contract[];
  /** Whether its account holds many positions. */
  rich?: true;
  /** Number of further accounts of the tenant, each with some positions. Default: none. */
  others?: number;
  /** Whether the server's log is not read during the attack. */
  stalledLog?: true;
  /** Prepares endpoints and receivers. @returns the attack itself, which ends soon after `ends` */
  prepare(tenant: Tenant, tally: Tally): Promise<(ends: AbortSignal) => Promise<unknown>>;
}

/** Counts how often each outcome occurred. */
export class Tally {
  readonly counts: Record<string, number> = {};
  count(outcome: string | number): void {
    this.counts[outcome] = (this.counts[outcome] ?? 0) + 1;
  }
}

const EVERYWHERE: readonly Contract[] = ['partner', 'sandbox'];
const SANDBOX: readonly Contract[] = ['sandbox'];
const API = '/api/v1';
/** The default of RATE_LIMIT_PER_MINUTE, in requests a second. */
const ALLOWED_A_SECOND = 100;
/** More requests than any slice sends. */
const MOST_REQUESTS = 20_000;
const REFUSED_PAUSE_MS = 100;
const ENDPOINTS = 50;
const SOCKETS = 1_000;
const PIPELINED = 100;

/** Keeps a number of requests in flight, each replaced as soon as it is answered. */
async function busy(
  connections: number,
  ends: AbortSignal,
  send: (number: number) => Promise<Outcome>,
  refusedPauseMs = REFUSED_PAUSE_MS,
): Promise<void> {
  let sent = 0;
  const one = async (): Promise<void> => {
    while (!ends.aborted && sent < MOST_REQUESTS) {
      const outcome = await send(sent++);
      if (typeof outcome !== 'number' || outcome >= 400) await sleep(refusedPauseMs);
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
}

/** Sends a number of requests a second, whether or not earlier ones are answered, up to a limit. */
async function paced(
  perSecond: number,
  ends: AbortSignal,
  send: (number: number) => Promise<Outcome>,
): Promise<void> {
  const from = performance.now();
  let open = 0;
  for (let sent = 0; !ends.aborted && sent < MOST_REQUESTS; sent++) {
    await sleep(Math.max(0, from + (sent * 1_000) / perSecond - performance.now()));
    if (open >= 2 * perSecond) continue;
    open++;
    void send(sent).finally(() => open--);
  }
}

/** A caller that uses the tenant's key and counts the outcomes. */
function caller({ url, key }: Tenant, tally: Tally, connections: number) {
  const calls = new Caller(url, connections);
  const counted = async (sending: Promise<Outcome>): Promise<Outcome> => {
    const outcome = await sending;
    tally.count(outcome);
    return outcome;
  };
  return {
    anonymous: (path: string) => counted(calls.call({ path })),
    get: (path: string) => counted(calls.call({ path: API + path, key })),
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      counted(calls.call({ method: 'POST', path: API + path, key, body, headers })),
    as: (other: string, from: string) => counted(calls.call({ path: `${API}/webhooks`, key: other, from })),
    made: async (path: string, body: unknown): Promise<string> => {
      const { outcome, text } = await calls.answer({ method: 'POST', path: API + path, key, body });
      if (outcome !== 201) throw new Error(`POST ${path} answered ${outcome}: ${text}`);
      return JSON.parse(text).data.id;
    },
  };
}

async function receiver(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    answer(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

/** Attacks by name, as BENCH_ATTACKS selects them. */
export const ATTACKS: Record<string, Attack> = {
  unread: {
    what: `${SOCKETS} sockets pipeline ${PIPELINED} GET /openapi.json each and never read`,
    contracts: EVERYWHERE,
    prepare: async ({ url }, tally) => {
      const { hostname, port, host } = new URL(url);
      const asked = `GET /openapi.json HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(PIPELINED);
      const open = (): Socket => {
        const socket = connect(Number(port), hostname, () => socket.write(asked));
        socket.pause();
        socket.on('connect', () => tally.count('opened'));
        socket.on('error', () => tally.count('broken'));
        return socket;
      };
      return async (ends) => {
        const sockets = Array.from({ length: SOCKETS }, open);
        await once(ends, 'abort');
        sockets.forEach((socket) => socket.destroy());
      };
    },
  },
  document: {
    what: 'GET /openapi.json without a key, 200 a second',
    contracts: EVERYWHERE,
    prepare: async (tenant, tally) => {
      const { anonymous } = caller(tenant, tally, 200);
      return (ends) => paced(200, ends, () => anonymous('/openapi.json'));
    },
  },
  decisions: {
    what: '30 connections of GET /analytics/decisions?limit=500',
    contracts: EVERYWHERE,
    rich: true,
    prepare: async (tenant, tally) => {
      const { get } = caller(tenant, tally, 30);
      return (ends) => busy(30, ends, () => get('/analytics/decisions?limit=500'));
    },
  },
  duplicates: {
    what: '50 connections repeat one Idempotency-Key on a slow advance',
    contracts: SANDBOX,
    rich: true,
    prepare: async (tenant, tally) => {
      const { post } = caller(tenant, tally, 50);
      // The Idempotency-Key changes once a request with the former one got its final answer.
      let generation = 0;
      return (ends) =>
        busy(50, ends, async () => {
          const mine = generation;
          const key = `bench-${process.pid}-${mine}`;
          const outcome = await post('/simulation/clock/advance', { hours: 744 }, { 'idempotency-key': key });
          if (outcome === 200 && mine === generation) generation++;
          return outcome;
        });
    },
  },
  users: {
    what: `POST /users with bodies of 60 KiB, ${ALLOWED_A_SECOND} a second`,
    contracts: EVERYWHERE,
    prepare: async (tenant, tally) => {
      const { post } = caller(tenant, tally, 100);
      return (ends) => paced(ALLOWED_A_SECOND, ends, (number) => post('/users', largeUser(number)));
    },
  },
  refused: {
    what: '4 connections of POST /users with 60 KiB that are refused, each again at once',
    contracts: EVERYWHERE,
    prepare: async (tenant, tally) => {
      const { post } = caller(tenant, tally, 4);
      const body = `{"external_id":"bench","wallets":[${Array(30_000).fill(1).join()}]}`;
      return (ends) => busy(4, ends, () => post('/users', body), 0);
    },
  },
  events: {
    what: `POST /simulation/events, ${ALLOWED_A_SECOND} a second, to ${ENDPOINTS} endpoints each`,
    contracts: SANDBOX,
    prepare: async (tenant, tally) => {
      const { post, made } = caller(tenant, tally, 100);
      const url = await receiver((response) => response.end());
      for (let number = 0; number < ENDPOINTS; number++) await made('/webhooks', { url: `${url}/${number}` });
      return (ends) =>
        paced(ALLOWED_A_SECOND, ends, () => post('/simulation/events', { type: 'position.opened' }));
    },
  },
  host: {
    what: `POST /simulation/events, ${ALLOWED_A_SECOND} a second, to ${ENDPOINTS} endpoints at one public host`,
    contracts: SANDBOX,
    prepare: async (tenant, tally) => {
      const { post, made } = caller(tenant, tally, 100);
      let from = NaN;
      const url = await receiver((response) => {
        from ||= performance.now();
        if (performance.now() - from < 1_000) tally.count('received in the first second of the rounds');
        response.end();
      });
      const [host] = PUBLIC_HOSTS;
      for (let number = 0; number < ENDPOINTS; number++)
        await made('/webhooks', { url: `${url.replace('127.0.0.1', host)}/${number}` });
      return (ends) =>
        paced(ALLOWED_A_SECOND, ends, () => post('/simulation/events', { type: 'position.opened' }));
    },
  },
  pages: {
    what: '16 connections read the largest pages there are',
    contracts: EVERYWHERE,
    rich: true,
    prepare: async (tenant, tally) => {
      const { get } = caller(tenant, tally, 16);
      const pages = [
        '/positions?limit=500',
        `/users/${tenant.userId}/ledger?limit=500`,
        '/analytics/decisions?limit=500',
        `/partner/user/${tenant.userId}/positions?limit=500`,
        '/yield/history/USDC?interval=hour',
      ];
      return (ends) => busy(16, ends, (number) => get(pages[number % pages.length]!));
    },
  },
  tests: {
    what: '400 test sends at once to a receiver that hangs',
    contracts: EVERYWHERE,
    prepare: async (tenant, tally) => {
      const { post, made } = caller(tenant, tally, 400);
      const id = await made('/webhooks', { url: await receiver(() => undefined) });
      return (ends) => busy(400, ends, () => post(`/webhooks/${id}/test`, undefined));
    },
  },
  credentials: {
    what: 'malformed keys from another address, 100 a second, of which 300 a minute are judged',
    contracts: EVERYWHERE,
    prepare: async (tenant, tally) => {
      const { as } = caller(tenant, tally, 100);
      return (ends) => paced(100, ends, (number) => as(`vl_live_${number}${'x'.repeat(8_000)}`, '127.0.0.2'));
    },
  },
  advance: {
    what: 'one account advances its clock by 744 hours, again and again',
    contracts: SANDBOX,
    rich: true,
    prepare: async (tenant, tally) => {
      const { post } = caller(tenant, tally, 1);
      return (ends) => busy(1, ends, () => post('/simulation/clock/advance', { hours: 744 }));
    },
  },
  advances: {
    what: 'ten accounts advance their clocks by 744 hours at once, again and again',
    contracts: SANDBOX,
    rich: true,
    others: 9,
    prepare: async (tenant, tally) => {
      const posts = [tenant.key, ...tenant.otherKeys].map((key) => caller({ ...tenant, key }, tally, 1).post);
      return (ends) =>
        Promise.all(
          posts.map((post) => busy(1, ends, () => post('/simulation/clock/advance', { hours: 744 }))),
        );
    },
  },
  log: {
    what: 'nobody reads the log, and 300 requests a second write to it',
    contracts: EVERYWHERE,
    stalledLog: true,
    prepare: async (tenant, tally) => {
      const { anonymous } = caller(tenant, tally, 100);
      return (ends) => paced(300, ends, () => anonymous(`${API}/nothing`));
    },
  },
};

/** A valid body of the largest size: its notes are as long as allowed, or few notes and much white space where fewer are allowed. */
function largeUser(number: number): string {
  const external_id = `bench:${process.pid}:${number}`;
  const notes = (count: number, length: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, note) => [`note_${note}`, 'x'.repeat(length)]));
  const text = JSON.stringify({ external_id, metadata: number % 2 === 0 ? notes(50, 500) : notes(7, 500) });
  return text.slice(0, -1) + ' '.repeat(60 * 1024 - text.length) + '}';
}
