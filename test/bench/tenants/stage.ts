import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contract } from '../../../src/config/environment.js';
import type { Api } from '../../support/api.js';
import { newTxHash } from '../../support/market.js';
import { createPartner, type TestPartner } from '../../support/partner.js';
import type { Replica } from '../../support/replica.js';
import { say } from '../deployment.js';
import { ATTACKS, type Tenant } from './attacks.js';
import type { Round, Stretch, Victim } from './slices.js';
import { SERVES } from '../../support/child-environment.js';

export const SLICE_MS = 8_000;
/** Time from an attack's beginning to the first measured request. */
const ONSET_MS = 1_000;
/** Numbers of positions: of an account that is as full as a tester's, and of a further account of the same owner. */
const POSITIONS = 600;
const POSITIONS_OF_OTHERS = 60;
const WRITERS = 4;
/** The share of a core that an idle process uses. */
const RESTS = 0.1;
const REST_CHECK_MS = 500;
const LONGEST_REST_MS = 90_000;

/** The server, its victim and its attackers. */
export class Stage {
  private rich: Promise<TestPartner & { userId: string }> | null = null;
  /** Attackers' keys by the number of accounts, each made once. */
  private readonly others = new Map<number, Promise<string[]>>();
  private protocol: Api | null = null;
  private users = 0;

  constructor(
    private readonly contract: Contract,
    private readonly server: Replica,
    private readonly admin: Api,
    private readonly metrics: string,
  ) {}

  async set(): Promise<void> {
    if (this.contract === 'sandbox') return;
    const { body } = await this.admin.post('/keys', { label: 'protocol', scopes: ['write'] });
    this.protocol = this.admin.as(body.data.secret);
  }

  async round(name: string): Promise<Round> {
    const attack = ATTACKS[name]!;
    const [victim, attacker] = [await this.victim(), await this.attacker(name)];
    try {
      await this.rest();
      const quiet = await this.stretch(victim);
      if (attack.stalledLog) this.server.child.stdout!.pause();
      attacker.send('begin');
      await sleep(ONSET_MS);
      const attacked = await this.stretch(victim, () => this.server.child.stdout!.resume());
      attacker.send('end');
      const [{ counts }] = (await once(attacker, 'message')) as [{ counts: Record<string, number> }];
      return { quiet, attacked, answers: counts };
    } finally {
      this.server.child.stdout!.resume();
      attacker.kill('SIGKILL');
      victim.kill('SIGKILL');
      await this.rest();
    }
  }

  /** @param measured runs before the server is asked for its figures, which it may be unable to answer under attack */
  private async stretch(victim: ChildProcess, measured: () => void = () => undefined): Promise<Stretch> {
    const [before, from] = [await this.cpuSeconds(), performance.now()];
    victim.send(SLICE_MS);
    const [slices] = (await once(victim, 'message')) as [Omit<Stretch, 'cpu'>];
    measured();
    const cpu = ((await this.cpuSeconds()) - before) / ((performance.now() - from) / 1_000);
    return { ...slices, cpu };
  }

  /** A new tenant each time: every stretch then begins with the same holdings. */
  private async victim(): Promise<ChildProcess> {
    const { key, userId } = await this.tenant();
    const victim: Victim = {
      url: this.server.url,
      reads: this.contract === 'sandbox' ? '/api/v1/webhooks' : '/api/v1/partner/summary',
      readKey: key,
      depositKey: this.protocol?.key ?? key,
      userId,
      settles: this.contract === 'partner',
    };
    return prepared('victim', victim);
  }

  private async attacker(name: string): Promise<ChildProcess> {
    const { rich, others = 0 } = ATTACKS[name]!;
    const { key, userId } = await (rich ? this.richTenant() : this.tenant());
    const otherKeys = await this.keysOfOthers(others);
    const tenant: Tenant = { url: this.server.url, key, userId, otherKeys };
    return prepared('attacker', { name, tenant });
  }

  private async tenant(): Promise<TestPartner & { userId: string }> {
    const partner = await createPartner(this.admin);
    const { status, text, body } = await partner.api.post('/users', { external_id: `bench:${++this.users}` });
    if (status !== 201) throw new Error(`POST /users answered ${status}: ${text}`);
    return { ...partner, userId: body.data.id };
  }

  /** A tenant with as many positions as an account may hold; made once. */
  private richTenant(): Promise<TestPartner & { userId: string }> {
    this.rich ??= this.holder(POSITIONS);
    return this.rich;
  }

  private async keysOfOthers(count: number): Promise<string[]> {
    const made = this.others.get(count) ?? this.holders(count);
    this.others.set(count, made);
    return made;
  }

  private async holders(count: number): Promise<string[]> {
    const keys: string[] = [];
    while (keys.length < count) keys.push((await this.holder(POSITIONS_OF_OTHERS)).key);
    return keys;
  }

  private async holder(positions: number): Promise<TestPartner & { userId: string }> {
    const tenant = await this.tenant();
    const api = this.protocol ?? tenant.api;
    const deposit = { user_id: tenant.userId, asset: 'USDC', amount: 1_000 };
    const writer = async (): Promise<void> => {
      for (let made = 0; made < positions / WRITERS; made++) {
        const settled = this.protocol && { tx_hash: newTxHash() };
        const { status, text } = await api.post('/positions', { ...deposit, ...settled });
        if (status === 409 || status === 429) return say(`no more than ${made} positions a writer: ${text}`);
        if (status !== 201) throw new Error(`POST /positions answered ${status}: ${text}`);
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, writer));
    return tenant;
  }

  /** Waits until the server has finished the work that an attack left behind. */
  private async rest(): Promise<void> {
    const giveUpAt = performance.now() + LONGEST_REST_MS;
    while (performance.now() < giveUpAt) {
      const [before, from] = [await this.cpuSeconds(), performance.now()];
      await sleep(REST_CHECK_MS);
      if ((await this.cpuSeconds()) - before < (RESTS * (performance.now() - from)) / 1_000) return;
    }
    say(`The server is still busy after ${LONGEST_REST_MS / 1_000} s of rest.`);
  }

  private async cpuSeconds(): Promise<number> {
    const text = await (await fetch(this.metrics)).text();
    return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]);
  }
}

/** A process of the bench, started with its task. */
async function prepared(role: 'victim' | 'attacker', told: object): Promise<ChildProcess> {
  const child = fork(new URL(`${role}.main.ts`, import.meta.url), {
    execArgv: ['--import', new URL('../../runner/typescript.mjs', import.meta.url).href],
    ...SERVES,
  });
  child.send(told);
  const failed = once(child, 'exit').then(() =>
    Promise.reject(new Error(`The ${role} ended before it was prepared.`)),
  );
  failed.catch(() => undefined);
  await Promise.race([once(child, 'message'), failed]);
  return child;
}
