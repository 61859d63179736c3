import { randomBytes } from 'node:crypto';
import { AnswerCheck } from '../support/answer-check.js';
import { type Caller } from './caller.js';
import { made, SkippedRule } from './check.js';
import { type Crowd, crowded } from './crowd.js';
import type { Exchange } from './exchange.js';
import { Funds } from './funds.js';
import { ASSETS, type Contract, type Operation, operationsIn } from './operations.js';
import { type Hook, Inbox } from './inbox.js';
import { type Life, lived } from './life.js';
import { VaultSeries } from './rules/series.js';
import { Savings } from './savings.js';

/** A partner of the run, and its caller. */
export interface OwnPartner {
  id: string;
  key: string;
  keyId: string;
  caller: Caller;
}

export interface StageOptions {
  contract: Contract;
  /** How the deployment reaches this machine. null: it is not told. */
  receiverHost: string | null;
  /** False: nothing is deposited. */
  deposits: boolean;
}

/** What the rules act on. Each thing is made when a rule first asks for it, so that one rule alone needs little. */
export class Stage {
  readonly contract: Contract;
  readonly assets: readonly [string, string];
  readonly operations: readonly Operation[];
  readonly check: AnswerCheck;
  /** In the names of all that the run makes. */
  readonly run = `conformance-${Date.now().toString(36)}-${randomBytes(4).toString('hex')}`;
  /** What was made, or is being made, by its name. */
  private readonly things = new Map<string, Promise<any>>();
  /** Every partner with deposits. */
  readonly depositors: Funds[] = [];
  private count = 0;

  constructor(
    readonly admin: Caller,
    readonly anyone: Caller,
    /** The deployment's own, where it serves one. */
    readonly document: any,
    readonly isServed: boolean,
    /** Every exchange of the run so far. */
    readonly exchanges: readonly Exchange[],
    readonly options: StageOptions,
  ) {
    this.contract = options.contract;
    this.assets = ASSETS[options.contract];
    this.operations = operationsIn(document);
    this.check = new AnswerCheck(document, options.contract);
  }

  /** A name that nobody has. */
  name = (what: string): string => `${this.run}:${what}-${++this.count}`;

  partner = (): Promise<OwnPartner> => this.once('partner', () => this.newPartner('partner'));
  /** Nobody that the partner may know of. */
  stranger = (): Promise<OwnPartner> => this.once('stranger', () => this.newPartner('stranger'));

  /** Whose policy, clock and market may be changed. */
  traveller = (): Promise<OwnPartner> => this.once('traveller', () => this.newPartner('traveller'));

  newPartner = async (name: string): Promise<OwnPartner> => {
    const { partner, api_key: key } = made(await this.admin.post('/partners', { name: this.name(name) }));
    return { id: partner.id, key: key.secret, keyId: key.id, caller: this.admin.as(name, key.secret) };
  };

  /** A key of these scopes alone, bound to no partner. */
  unbound = (...scopes: string[]): Promise<Caller> =>
    this.once(`unbound ${scopes.join()}`, async () => {
      const key = made(await this.admin.post('/keys', { label: this.name(scopes[0]!), scopes }));
      return this.admin.as(`key with ${scopes.join(' and ')}`, key.secret);
    });

  /** A key of the partner that opens the market alone. */
  boundReader = (): Promise<Caller> =>
    this.once('bound reader', async () => {
      const input = { label: this.name('reader'), scopes: ['read'], partner_id: (await this.partner()).id };
      return this.admin.as('bound key with read', made(await this.admin.post('/keys', input)).secret);
    });

  user = (): Promise<any> => this.once('user', async () => this.newUser((await this.partner()).caller));
  async newUser(caller: Caller): Promise<any> {
    return made(await caller.post('/users', { external_id: this.name('user') }));
  }

  campaign = (): Promise<any> =>
    this.once('campaign', async () => {
      const path = `/partners/${(await this.partner()).id}/campaigns`;
      return made(await this.admin.post(path, { name: this.name('campaign') }));
    });

  /** An endpoint whose receiver does not exist: nothing leaves the deployment for it but the question for its name. */
  webhook = (): Promise<any> => this.once('webhook', async () => (await this.newWebhook()).body.data);
  async newWebhook(input: object = {}): Promise<Exchange> {
    const { caller } = await this.partner();
    const url = `https://${this.run}.invalid/${++this.count}`;
    const answer = await caller.post('/webhooks', { url, events: ['system.status'], ...input });
    made(answer);
    return answer;
  }

  /** A record of the delivery log, of a send that failed. */
  delivery = (): Promise<any> =>
    this.once('delivery', async () => {
      const { caller } = await this.partner();
      return made(await caller.post(`/webhooks/${(await this.webhook()).id}/test`));
    });

  /** Deposits of a partner: by default of the run's. @throws Skipped where nothing may be deposited */
  async funds(partner?: OwnPartner): Promise<Funds> {
    if (!this.options.deposits) throw new SkippedRule('the run was told to deposit nothing (--no-deposits)');
    const { id, caller } = partner ?? (await this.partner());
    return this.once(`funds ${id}`, async () => {
      const isReported = this.contract === 'partner';
      const funds = new Funds(caller, isReported ? await this.unbound('write') : caller, isReported);
      this.depositors.push(funds);
      return funds;
    });
  }

  async deposit(amount: number): Promise<Exchange> {
    const funds = await this.funds();
    return funds.deposit({ user_id: (await this.user()).id, asset: this.assets[0], amount });
  }

  withdraw = async (positionId: string, amount?: number): Promise<Exchange> =>
    (await this.funds()).withdraw(positionId, amount);

  /** A position that stays open while the run lasts. */
  position = (): Promise<any> => this.once('position', async () => made(await this.deposit(1000)));

  /** The later of two of the run's user. */
  withdrawal = (): Promise<any> =>
    this.once('withdrawal', async () => {
      const [{ user_id }, funds] = [await this.position(), await this.funds()];
      const input = { asset: this.assets[0], amount: 1 };
      made(await funds.withdrawFrom(user_id, input));
      return made(await funds.withdrawFrom(user_id, input));
    });

  /** A partner with a past of every kind. */
  life = (): Promise<Life> => this.once('life', () => lived(this));

  /** A partner whose end-users save in cash and in vaults, to withdraw. */
  savings = (): Promise<Savings> => this.once('savings', () => Savings.open(this));

  /** A partner with more of everything than a page has by default. */
  crowd = (): Promise<Crowd> => this.once('crowd', () => crowded(this));

  /** A market that no rule changes, and its series. */
  market = (): Promise<{ caller: Caller; series: VaultSeries }> =>
    this.once('market', async () => {
      const { caller } = this.options.deposits ? await this.life() : await this.partner();
      return { caller, series: new VaultSeries(caller) };
    });

  /** An endpoint that the deployment was seen to reach. @throws Skipped where there is none */
  inbox = (): Promise<{ inbox: Inbox; hook: Hook }> =>
    this.once('inbox', async () => {
      const { receiverHost } = this.options;
      if (receiverHost === null)
        throw new SkippedRule('no --receiver-host says how the deployment reaches this machine');
      const { caller } = await this.partner();
      return Inbox.open(receiverHost, caller);
    });

  /** Ids of records of the run, by prefix. */
  async ids(): Promise<Record<string, string>> {
    const [{ id: ptn, keyId: key }, usr, cmp, wh] = [
      await this.partner(),
      await this.user(),
      await this.campaign(),
      await this.webhook(),
    ];
    const money = this.options.deposits
      ? { pos: (await this.position()).id, wdr: (await this.withdrawal()).id }
      : {};
    return { ptn, key, usr: usr.id, cmp: cmp.id, wh: wh.id, ...money };
  }

  /** Who may call an operation. null: nobody that the run has. */
  async callerOf({ scopes, partnerOnly }: Operation): Promise<Caller | null> {
    if (partnerOnly || scopes.includes('partner:read')) return (await this.partner()).caller;
    if (scopes.some((scope) => scope === 'keys:admin' || scope === 'partner:admin')) return this.admin;
    const scope = scopes.find((scope) => scope === 'write' || scope === 'read');
    return scope ? this.unbound(scope) : null;
  }

  /** One answer of each kind, for rules about every answer. */
  sample = (): Promise<void> =>
    this.once('sample', async () => {
      const { caller } = await this.partner();
      await this.user();
      await caller.get('/webhooks');
      await caller.get('/partner/users?limit=0');
      await caller.get(`/partner/nowhere`);
      await this.anyone.get('/webhooks');
    });

  /** Ends what it opened on this machine. */
  async close(): Promise<void> {
    const opened = await this.things.get('inbox')?.catch(() => null);
    await opened?.inbox.close();
  }

  private once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const thing = this.things.get(name) ?? make();
    this.things.set(name, thing);
    return thing as Promise<T>;
  }
}
