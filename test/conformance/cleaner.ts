import { UnansweredCall } from './caller.js';
import { codeOf, type Exchange, isSuccess, summaryOf } from './exchange.js';
import type { Funds } from './funds.js';
import type { Stage } from './stage.js';

const KEY = /\bkey_[0-9a-z]{26}\b/g;
const PARTNER = /\bptn_[0-9a-z]{26}\b/g;
const WEBHOOK = /\bwh_[0-9a-z]{26}\b/g;
/** Errors that mean that the record is already cleaned up: by a rule, or by an earlier request whose answer was lost. */
const CLEANED = ['position_closed', 'not_found', 'withdrawal_not_open'];
const UNPAID = { note: 'The conformance run has ended.' };
const ATTEMPTS = 4;
const PAUSE_MS = 250;

/** Cleans up after a run: only disabled partners, closed positions and revoked keys remain. */
export class Cleaner {
  private readonly leftovers: string[] = [];
  /** Attempts of each request. One after a request without an answer in all attempts: the server may be gone. */
  private attempts = ATTEMPTS;

  constructor(private readonly stage: Stage) {}

  /** @returns a line for each record that could not be cleaned: its id, the reason, and the request that cleans it */
  async clean(): Promise<string[]> {
    this.leftovers.length = 0;
    this.attempts = ATTEMPTS;
    const { admin, depositors } = this.stage;
    const partners = await this.named('/partners', 'name', PARTNER);
    const keys = await this.named('/keys', 'label', KEY);
    const receivers = await this.named('/alerts/webhooks', 'description', WEBHOOK);
    for (const depositor of depositors)
      for (const id of await this.openWithdrawals(depositor)) {
        const path = `/withdrawals/${id}/failed`;
        const remedy = `POST ${path} ${JSON.stringify(UNPAID)}`;
        await this.attempt(id, remedy, () => depositor.reporter.post(path, UNPAID));
      }
    for (const depositor of depositors)
      for (const id of await this.openPositions(depositor))
        await this.attempt(id, `POST /positions/${id}/withdrawals`, () => depositor.withdraw(id));
    for (const id of partners) {
      const disabled = { status: 'disabled' };
      const remedy = `PATCH /partners/${id} ${JSON.stringify(disabled)}`;
      await this.attempt(id, remedy, () => admin.patch(`/partners/${id}`, disabled));
    }
    for (const path of [
      ...[...receivers].map((id) => `/alerts/webhooks/${id}`),
      ...[...keys].map((id) => `/keys/${id}`),
    ])
      await this.attempt(path.split('/').at(-1)!, `DELETE ${path}`, () => admin.delete(path));
    return [...this.leftovers];
  }

  /** Repeats a request that gets no answer. @returns null: it failed, and is listed with the request that is still to be made */
  private async attempt(
    what: string,
    remedy: string,
    ask: () => Promise<Exchange>,
    cleaned = CLEANED,
  ): Promise<Exchange | null> {
    for (let attempt = 1; ; attempt++) {
      let why: string;
      try {
        const answer = await ask();
        if (isSuccess(answer) || cleaned.includes(codeOf(answer) ?? '')) return answer;
        why = summaryOf(answer);
      } catch (error) {
        why = (error as Error).message;
        if (error instanceof UnansweredCall && attempt < this.attempts) {
          await new Promise((resolve) => setTimeout(resolve, attempt * PAUSE_MS));
          continue;
        }
        this.attempts = 1;
      }
      this.leftovers.push(`${what}: ${why}. To clean it: ${remedy}`);
      return null;
    }
  }

  /** Of a partner with a key, what it lists; of another, what was seen to be opened. */
  private async openPositions({ caller, opened }: Funds): Promise<readonly string[]> {
    const path = '/positions?limit=500';
    const ask = (): Promise<Exchange> => caller.get(path);
    const what = `positions of ${caller.name}`;
    const answer = await this.attempt(what, `GET ${path}`, ask, ['invalid_api_key']);
    if (answer?.status === 401) return opened;
    const open = (answer?.body?.data ?? []).filter((row: any) => row.status !== 'closed');
    return open.map(({ id }: { id: string }) => id);
  }

  /** Reservations, which keep positions from being closed; where withdrawals are paid at once there are none. */
  private async openWithdrawals({ caller }: Funds): Promise<string[]> {
    const path = '/withdrawals?limit=500';
    const ask = (): Promise<Exchange> => caller.get(path);
    const what = `withdrawals of ${caller.name}`;
    const answer = await this.attempt(what, `GET ${path}`, ask, ['invalid_api_key']);
    const rows: any[] = Array.isArray(answer?.body?.data) ? answer.body.data : [];
    return rows.filter(({ status }) => status === 'requested' || status === 'taken').map(({ id }) => id);
  }

  /** Ids of what the run made: those that answers showed, and those of whose making no answer came. */
  private async named(path: string, field: string, form: RegExp): Promise<Set<string>> {
    const { exchanges, run, admin } = this.stage;
    const shown = exchanges.filter(
      (exchange) => exchange.method === 'POST' && exchange.path === path && isSuccess(exchange),
    );
    const ids = new Set(shown.flatMap(({ text }) => text.match(form)?.slice(0, 1) ?? []));
    for (let cursor = '', page = 0; page < 20; page++) {
      const next = `${path}?limit=100${cursor}`;
      const remedy = `GET ${next}, for a ${field} that begins with ${run}`;
      const answer = await this.attempt(`what no answer showed of ${path}`, remedy, () => admin.get(next));
      const rows: any[] = Array.isArray(answer?.body?.data) ? answer.body.data : [];
      const ownRows = rows.filter((row) => String(row?.[field]).startsWith(run));
      for (const { id } of ownRows) ids.add(id);
      // Newest first: older pages hold none of this run's.
      if (ownRows.length === 0 || !answer?.body?.meta?.next_cursor) break;
      cursor = `&cursor=${answer.body.meta.next_cursor}`;
    }
    return ids;
  }
}
