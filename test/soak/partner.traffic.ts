import type { Random } from '../faults/load/random.js';
import type { Kind, Traffic } from './traffic.js';

interface Partner {
  id: string;
  secret: string;
  users: string[];
  webhooks: string[];
}

/** The most open positions: beyond, positions are withdrawn. */
const OPEN = 300;
const READS = [
  '/partner/summary',
  '/partner/deposits',
  '/partner/tvl',
  '/partner/yield',
  '/partner/points',
  '/partner/revenue',
  '/partner/users?limit=20',
  '/webhooks/deliveries?limit=100',
  '/webhooks/deliveries?status=failed',
  '/analytics/decisions?limit=20',
  '/analytics/uplift',
];

/** Traffic of the partner contract, with valid and invalid requests. */
export class PartnerTraffic {
  private readonly open: string[] = [];
  private readonly sent: { path: string; body: object; key: string; text: string }[] = [];
  private count = 0;
  /** Answers to the same Idempotency-Key that differed. */
  readonly differing: string[] = [];

  private constructor(
    private readonly traffic: Traffic,
    private readonly random: Random,
    private readonly admin: string,
    private readonly protocol: string,
    private readonly partners: readonly Partner[],
    private readonly hook: (path: string) => string,
  ) {}

  static async begin(
    traffic: Traffic,
    random: Random,
    admin: string,
    hook: (path: string) => string,
  ): Promise<PartnerTraffic> {
    const make = async (secret: string, path: string, body: object): Promise<any> => {
      const outcome = await traffic.send('beginning', { method: 'POST', path, secret, body });
      if (outcome.kind !== 'acknowledged') throw new Error(`POST ${path}: ${JSON.stringify(outcome)}`);
      return outcome.data;
    };
    const { secret: protocol } = await make(admin, '/keys', { label: 'protocol', scopes: ['write', 'read'] });
    const partners: Partner[] = [];
    for (let n = 0; n < 3; n++) {
      const { partner, api_key } = await make(admin, '/partners', { name: `Soak ${n}` });
      const [users, webhooks]: [string[], string[]] = [[], []];
      for (let u = 0; u < 5; u++)
        users.push((await make(api_key.secret, '/users', { external_id: `soak:${n}:${u}` })).id);
      for (const path of ['/well', '/broken', '/slow'])
        webhooks.push((await make(api_key.secret, '/webhooks', { url: hook(`${path}/${n}`) })).id);
      partners.push({ id: partner.id, secret: api_key.secret, users, webhooks });
    }
    return new PartnerTraffic(traffic, random, admin, protocol, partners, hook);
  }

  readonly kinds: Kind[] = [
    { name: 'deposit', share: 20, send: () => this.deposit() },
    { name: 'withdrawal', share: 18, send: () => this.withdraw() },
    { name: 'replay', share: 10, send: () => this.replay() },
    { name: 'report', share: 15, send: () => this.read() },
    { name: 'test send', share: 5, send: () => this.testSend() },
    { name: 'short-lived endpoint', share: 3, send: () => this.endpoint() },
    { name: 'short-lived key', share: 2, send: () => this.key() },
    { name: 'error', share: 10, send: () => this.err() },
    { name: 'authentication failure', share: 3, send: () => this.fail() },
  ];

  private async deposit(): Promise<void> {
    if (this.open.length >= OPEN) return this.withdraw();
    const partner = this.random.pick(this.partners);
    const body = {
      user_id: this.random.pick(partner.users),
      asset: 'USDC',
      amount: this.random.between(10, 1000),
      tx_hash: this.hash(),
    };
    const data = await this.write('deposit', '/positions', body);
    if (data) this.open.push(data.id);
  }

  private async withdraw(): Promise<void> {
    if (this.open.length === 0) return;
    const [id] = this.open.splice(this.random.between(0, this.open.length - 1), 1);
    const all = this.random.chance(0.7);
    await this.write('withdrawal', `/positions/${id}/withdrawals`, {
      ...(!all && { amount: 1 }),
      tx_hash: this.hash(),
    });
    if (!all) this.open.push(id!);
  }

  private async write(kind: string, path: string, body: object): Promise<any> {
    const key = `soak-${++this.count}`;
    const outcome = await this.traffic.send(
      kind,
      { method: 'POST', path, secret: this.protocol, body, idempotencyKey: key },
      // The rest of a position may be less than a unit.
      kind === 'withdrawal' ? ['acknowledged', 'insufficient_balance'] : ['acknowledged'],
    );
    if (outcome.kind !== 'acknowledged') return null;
    this.sent.push({ path, body, key, text: outcome.text });
    if (this.sent.length > 50) this.sent.shift();
    return outcome.data;
  }

  /** Repeats only recent requests: the claims of older keys are made a day old. */
  private async replay(): Promise<void> {
    const write = this.sent.at(-this.random.between(1, 20));
    if (!write) return;
    const { path, body, key: idempotencyKey, text } = write;
    const call = { method: 'POST' as const, path, secret: this.protocol, body, idempotencyKey };
    const outcome = await this.traffic.send('replay', call);
    if (outcome.kind === 'acknowledged' && (outcome.text !== text || !outcome.replayed))
      this.differing.push(`${path} ${idempotencyKey}`);
  }

  private async read(): Promise<void> {
    const { secret } = this.random.pick(this.partners);
    await this.traffic.send('report', { method: 'GET', path: this.random.pick(READS), secret });
  }

  private async testSend(): Promise<void> {
    const { secret, webhooks } = this.random.pick(this.partners);
    const path = `/webhooks/${this.random.pick(webhooks)}/test`;
    await this.traffic.send('test send', {
      method: 'POST',
      path,
      secret,
      idempotencyKey: `test-${++this.count}`,
    });
  }

  private async endpoint(): Promise<void> {
    const { secret } = this.random.pick(this.partners);
    const body = { url: this.hook('/well/short') };
    const made = await this.traffic.send('endpoint', { method: 'POST', path: '/webhooks', secret, body });
    if (made.kind === 'acknowledged')
      await this.traffic.send('endpoint removed', {
        method: 'DELETE',
        path: `/webhooks/${made.data.id}`,
        secret,
      });
  }

  private async key(): Promise<void> {
    const body = { label: 'short', scopes: ['read'] };
    const made = await this.traffic.send('key', { method: 'POST', path: '/keys', secret: this.admin, body });
    if (made.kind !== 'acknowledged') return;
    const { id, secret } = made.data;
    await this.traffic.send('key used', { method: 'GET', path: '/vaults', secret });
    await this.traffic.send('key revoked', { method: 'DELETE', path: `/keys/${id}`, secret: this.admin });
    await this.traffic.send('key refused', { method: 'GET', path: '/vaults', secret }, ['invalid_api_key']);
  }

  private async err(): Promise<void> {
    const { secret } = this.random.pick(this.partners);
    const [call, code] = this.random.pick([
      [
        { method: 'POST', path: '/positions', secret: this.protocol, body: { amount: -1 } },
        'validation_failed',
      ],
      [
        { method: 'GET', path: '/partner/user/usr_00000000000000000000000000/positions', secret },
        'not_found',
      ],
      [{ method: 'GET', path: '/nowhere', secret }, 'route_not_found'],
      [{ method: 'GET', path: '/webhooks/deliveries?cursor=none', secret }, 'invalid_cursor'],
      [
        { method: 'POST', path: '/webhooks', secret, body: { url: 'http://10.0.0.1/' } },
        'webhook_url_forbidden',
      ],
      [{ method: 'GET', path: '/keys', secret }, 'insufficient_scope'],
    ] as const);
    await this.traffic.send('error', call, [code]);
  }

  private async fail(): Promise<void> {
    const secret = this.random.pick([
      'nonsense',
      `${this.protocol.slice(0, -1)}${this.protocol.endsWith('0') ? '1' : '0'}`,
    ]);
    const path = '/partner/summary';
    await this.traffic.send('authentication failure', { method: 'GET', path, secret }, [
      'invalid_api_key',
      'rate_limited',
    ]);
  }

  private hash(): string {
    return `0x${Buffer.from(`soak ${++this.count}`).toString('hex').padStart(64, '0')}`;
  }
}
