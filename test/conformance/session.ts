import { Caller, Line, UnansweredCall } from './caller.js';
import { BrokenRule, SkippedRule } from './check.js';
import { Cleaner } from './cleaner.js';
import { type Exchange, masked, requestIdOf } from './exchange.js';
import { type Contract } from './operations.js';
import type { Rule } from './rule.js';
import { Stage } from './stage.js';

export interface SessionOptions {
  url: string;
  contract: Contract;
  adminKey: string;
  /** Default: this machine's loopback, where the deployment is on it. */
  receiverHost?: string | undefined;
  /** Default: true. */
  deposits?: boolean;
  /** Default: 120. */
  seconds?: number;
  /** Default: 4,000. */
  requests?: number;
  /** What the document is where the deployment serves none. */
  document?: any;
}

/** What became of a rule. */
export interface Result {
  id: string;
  says: string;
  outcome: 'pass' | 'fail' | 'skipped';
  /** Why it failed or was skipped. */
  why: string | null;
  /** The answer that shows it. */
  exchange: Exchange | null;
  seconds: number;
}

/** Thrown where the rules cannot be asked at all. */
export class NotRun extends Error {}

const MOST_REQUESTS = 4000;
const CLEANING_MS = 30_000;
/** Within which a deployment has evaluated an hour that began. */
const TICK_MS = 60_000;
const hourOf = (ms: number): number => Math.floor(ms / 3_600_000);

/** One deployment, and the rules asked of it one after the other. */
export class Session {
  readonly results: Result[] = [];
  private interrupted = false;

  private constructor(
    private readonly line: Line,
    private readonly stage: Stage,
    private readonly cleaner: Cleaner,
  ) {}

  /** @throws NotRun */
  static async open(options: SessionOptions): Promise<Session> {
    const url = options.url.replace(/(?<!\/)\/+$/, '').replace(/\/api\/v1$/, '');
    if (!URL.canParse(url) || !/^https?:/.test(url))
      throw new NotRun(`--url ${options.url} is no http or https URL.`);
    const deadline = Date.now() + (options.seconds ?? 120) * 1000;
    const line = new Line(url, { requests: options.requests ?? MOST_REQUESTS, deadline });
    const admin = new Caller(line, 'administrator', options.adminKey);
    try {
      const served = await documentOf(url);
      const document = served ?? options.document;
      if (!document) throw new NotRun(`${url}/openapi.json is not served, and no other document is known.`);
      await expectAdministrator(admin, options.contract);
      const { hostname } = new URL(url);
      const stage = new Stage(admin, admin.as('nobody'), document, served !== null, line.exchanges, {
        contract: options.contract,
        receiverHost: options.receiverHost ?? (isLoopback(hostname) ? '127.0.0.1' : null),
        deposits: options.deposits ?? true,
      });
      return new Session(line, stage, new Cleaner(stage));
    } catch (error) {
      line.close();
      throw error instanceof UnansweredCall ? new NotRun(`${error.message}.`) : error;
    }
  }

  /** Names of what the run makes begin with it. */
  get name(): string {
    return this.stage.run;
  }

  get requests(): number {
    return this.line.requests;
  }

  /** Nothing more is asked; what runs ends as skipped. */
  interrupt(): void {
    this.interrupted = true;
    this.line.stop('the run was interrupted');
  }

  async run(rule: Rule): Promise<Result> {
    const started = Date.now();
    let result = await this.ask(rule);
    // Of two answers the later one may be of the market's next hour.
    if (result.outcome === 'fail' && hourOf(started - TICK_MS) !== hourOf(Date.now()))
      result = await this.ask(rule);
    this.results.push(result);
    return result;
  }

  /** Leaves nothing but disabled partners and revoked keys. @returns what could not be cleaned, a line each with its remedy */
  async close(): Promise<string[]> {
    try {
      this.line.reopen(CLEANING_MS);
      return await this.cleaner.clean();
    } finally {
      await this.stage.close();
      this.line.close();
    }
  }

  private async ask({ id, says, run }: Rule): Promise<Result> {
    const started = performance.now();
    const ended = (
      outcome: Result['outcome'],
      why: string | null = null,
      exchange: Exchange | null = null,
    ): Result => ({
      id,
      says,
      outcome,
      why: why && masked(why),
      exchange,
      seconds: (performance.now() - started) / 1000,
    });
    return run(this.stage).then(
      () => ended('pass'),
      (error: unknown) => ended(...this.judged(error)),
    );
  }

  private judged(error: unknown): [Result['outcome'], string, Exchange | null] {
    if (error instanceof BrokenRule) return ['fail', error.message, error.exchange];
    if (error instanceof SkippedRule) return ['skipped', error.message, null];
    if (this.interrupted) return ['skipped', 'the run was interrupted', null];
    if (error instanceof UnansweredCall) return ['fail', error.message, null];
    // An answer that lacks what the rule reads is broken; so may the rule be.
    return [
      'fail',
      `an answer was not of the form that the rule reads: ${(error as Error).stack}`,
      this.line.exchanges.at(-1) ?? null,
    ];
  }
}

/** As a failing rule is told: what must hold, why it does not, and the request with its answer. */
export function told({ id, says, why, exchange }: Result): string {
  const lines = [`${id}: ${says}`, `  ${why}`];
  if (exchange) {
    const { caller, method, path, sent, status, text } = exchange;
    lines.push(
      `  request: ${method} /api/v1${path} by ${caller}${sent.body === null ? '' : `: ${sent.body}`}`,
    );
    lines.push(`  answer: ${status} ${text}`, `  request id: ${requestIdOf(exchange) ?? 'none'}`);
  }
  return masked(lines.map((line) => (line.length > 2000 ? `${line.slice(0, 2000)}...` : line)).join('\n'));
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || host.startsWith('127.');

async function documentOf(url: string): Promise<any> {
  try {
    const answer = await fetch(`${url}/openapi.json`, { signal: AbortSignal.timeout(20_000) });
    const document: any = answer.ok ? await answer.json() : await answer.bytes().then(() => null);
    return document?.paths ? document : null;
  } catch (error) {
    throw new NotRun(`${url} gives no answer: ${(error as Error).message}.`, { cause: error });
  }
}

async function expectAdministrator(admin: Caller, contract: Contract): Promise<void> {
  for (const path of ['/keys?limit=1', '/partners?limit=1']) {
    const { status, body } = await admin.get(path);
    if (status !== 200)
      throw new NotRun(
        `--admin-key must hold keys:admin and partner:admin: GET ${path} answered ${status} ${body?.error?.code ?? ''}.`,
      );
  }
  const mounted = (await admin.get('/simulation/clock')).status !== 404;
  if (mounted !== (contract === 'sandbox'))
    throw new NotRun(
      `The deployment serves the ${mounted ? 'sandbox' : 'partner'} contract, not --contract ${contract}.`,
    );
}
