import type { Random } from '../faults/load/random.js';
import type { Kind, Traffic } from './traffic.js';

interface Account {
  id: string;
  secret: string;
  users: string[];
  open: string[];
}

const READS = [
  '/partner/summary',
  '/partner/points',
  '/analytics/advisor',
  '/analytics/signals',
  '/analytics/decisions?limit=20',
  '/webhooks/events?limit=100',
  '/yield/history/USDC',
  '/yield/history/USDT?interval=day',
  '/simulation/clock',
];
/** Accepted answers: a request during an advance is refused, and retried. */
const BUSY = ['acknowledged', 'advance_in_progress'];

/** Traffic of developers with accounts of the sandbox. */
export class SandboxTraffic {
  private count = 0;

  private constructor(
    private readonly traffic: Traffic,
    private readonly random: Random,
    readonly accounts: readonly Account[],
  ) {}

  static async begin(
    traffic: Traffic,
    random: Random,
    admin: string,
    hook: (path: string) => string,
  ): Promise<SandboxTraffic> {
    const make = async (secret: string, path: string, body: object): Promise<any> => {
      const outcome = await traffic.send('beginning', { method: 'POST', path, secret, body });
      if (outcome.kind !== 'acknowledged') throw new Error(`POST ${path}: ${JSON.stringify(outcome)}`);
      return outcome.data;
    };
    const accounts: Account[] = [];
    for (let n = 0; n < 4; n++) {
      const { partner, api_key } = await make(admin, '/partners', { name: `Soak ${n}` });
      const { secret } = api_key;
      const users: string[] = [];
      for (let u = 0; u < 3; u++)
        users.push((await make(secret, '/users', { external_id: `soak:${n}:${u}` })).id);
      for (const path of ['/well', '/broken']) await make(secret, '/webhooks', { url: hook(`${path}/${n}`) });
      accounts.push({ id: partner.id, secret, users, open: [] });
    }
    // The account is so far ahead that hours of its market are pruned; it is never reset.
    for (let month = 0; month < 3; month++)
      await make(accounts[0]!.secret, '/simulation/clock/advance', { hours: 744 });
    return new SandboxTraffic(traffic, random, accounts);
  }

  readonly kinds: Kind[] = [
    { name: 'deposit', share: 20, send: () => this.deposit() },
    { name: 'withdrawal', share: 15, send: () => this.withdraw() },
    { name: 'advance', share: 6, send: () => this.advance() },
    { name: 'reset', share: 1, send: () => this.reset() },
    { name: 'event', share: 10, send: () => this.event() },
    { name: 'report', share: 30, send: () => this.read() },
    { name: 'error', share: 6, send: () => this.err() },
  ];

  private async deposit(): Promise<void> {
    const account = this.random.pick(this.accounts);
    if (account.open.length >= 40) return this.withdraw();
    const body = {
      user_id: this.random.pick(account.users),
      asset: this.random.pick(['USDC', 'USDT']),
      amount: this.random.between(1, 1000),
    };
    const call = { method: 'POST' as const, path: '/positions', secret: account.secret, body };
    const outcome = await this.traffic.send(
      'deposit',
      { ...call, idempotencyKey: `soak-${++this.count}` },
      BUSY,
    );
    if (outcome.kind === 'acknowledged') account.open.push(outcome.data.id);
  }

  private async withdraw(): Promise<void> {
    const { open, secret } = this.random.pick(this.accounts);
    const id = open.shift();
    if (id === undefined) return;
    // A reset in between deleted the position.
    await this.traffic.send('withdrawal', { method: 'POST', path: `/positions/${id}/withdrawals`, secret }, [
      ...BUSY,
      'not_found',
    ]);
  }

  private async advance(): Promise<void> {
    const { secret } = this.random.pick(this.accounts);
    const body = { hours: this.random.between(1, 30) };
    await this.traffic.send(
      'advance',
      { method: 'POST', path: '/simulation/clock/advance', secret, body },
      BUSY,
    );
  }

  private async reset(): Promise<void> {
    const account = this.random.pick(this.accounts.slice(1));
    const call = { method: 'POST' as const, path: '/simulation/reset', secret: account.secret, body: {} };
    const outcome = await this.traffic.send('reset', call, BUSY);
    if (outcome.kind === 'acknowledged') account.open.length = 0;
  }

  private async event(): Promise<void> {
    const { secret } = this.random.pick(this.accounts);
    const body = { type: this.random.pick(['position.opened', 'yield.threshold', 'system.status']) };
    await this.traffic.send('event', { method: 'POST', path: '/simulation/events', secret, body });
  }

  private async read(): Promise<void> {
    const { secret } = this.random.pick(this.accounts);
    await this.traffic.send('report', { method: 'GET', path: this.random.pick(READS), secret });
  }

  private async err(): Promise<void> {
    const { secret } = this.random.pick(this.accounts);
    const body = { hours: 745 };
    const call = { method: 'POST' as const, path: '/simulation/clock/advance', secret, body };
    await this.traffic.send('error', call, ['validation_failed']);
  }
}
