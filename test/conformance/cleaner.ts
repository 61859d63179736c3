import { type Exchange, isSuccess, summaryOf } from './exchange.js';
import type { Stage } from './stage.js';

const KEY = /\bkey_[0-9a-z]{26}\b/g;
const PARTNER = /\bptn_[0-9a-z]{26}\b/g;

/** Leaves of a run nothing but disabled partners, closed positions and revoked keys. */
export class Cleaner {
  constructor(private readonly stage: Stage) {}

  /** @returns what could not be cleaned, a line each */
  async clean(): Promise<string[]> {
    const left: string[] = [];
    const attempt = async (what: string, act: () => Promise<Exchange | null>): Promise<void> => {
      try {
        const answer = await act();
        if (answer && !isSuccess(answer)) left.push(`${what}: ${summaryOf(answer)}`);
      } catch (error) {
        left.push(`${what}: ${(error as Error).message}`);
      }
    };
    const { admin } = this.stage;
    const partners = await this.named('/partners', 'name', PARTNER);
    for (const id of await this.openPositions()) await attempt(id, () => this.stage.withdraw(id));
    for (const id of partners)
      await attempt(id, () => admin.patch(`/partners/${id}`, { status: 'disabled' }));
    for (const id of await this.named('/keys', 'label', KEY))
      await attempt(id, () => admin.delete(`/keys/${id}`));
    return left;
  }

  /** Positions of the run that are open still: those of its partner, who alone deposits. */
  private async openPositions(): Promise<string[]> {
    const { exchanges } = this.stage;
    if (
      !exchanges.some(
        ({ method, path, status }) => method === 'POST' && path === '/positions' && status < 300,
      )
    )
      return [];
    const { caller } = await this.stage.partner();
    const { body } = await caller.get('/positions?limit=500');
    const open = (body?.data ?? []).filter(({ status }: { status: string }) => status !== 'closed');
    return open.map(({ id }: { id: string }) => id);
  }

  /** Ids of what the run made: those that answers showed, and those of whose making no answer came. */
  private async named(path: string, field: string, form: RegExp): Promise<Set<string>> {
    const { exchanges, run, admin } = this.stage;
    const shown = exchanges.filter((one) => one.method === 'POST' && one.path === path && isSuccess(one));
    const ids = new Set(shown.flatMap(({ text }) => text.match(form)?.slice(0, 1) ?? []));
    if (!exchanges.some((one) => one.method === 'POST' && one.path === path)) return ids;
    for (let cursor = '', page = 0; page < 20; page++) {
      const { body } = await admin.get(`${path}?limit=100${cursor}`);
      const rows: any[] = Array.isArray(body?.data) ? body.data : [];
      const own = rows.filter((row) => String(row?.[field]).startsWith(run));
      for (const { id } of own) ids.add(id);
      // Newest first: older pages hold none of this run's.
      if (own.length === 0 || !body?.meta?.next_cursor) break;
      cursor = `&cursor=${body.meta.next_cursor}`;
    }
    return ids;
  }
}
