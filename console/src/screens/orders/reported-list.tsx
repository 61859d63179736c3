import type { ComponentChildren } from 'preact';
import { answered, asked, live } from '../../api/client.js';
import { listPath } from '../../api/download.js';
import { type Page, useListing } from '../../api/resource.js';
import { Choice, Filters, useFilters, useNarrowed } from '../../ui/filters.js';
import { Listed } from '../../ui/more.js';
import { Panel } from '../../ui/panel.js';
import { Empty } from '../../ui/state.js';
import type { Settlement } from '../administration/settlement-words.js';
import type { Withdrawal } from '../withdrawals/withdrawal-words.js';
import type { Move } from './move-words.js';

/** Lists of the API that an executor writes to, and their records. */
interface Lists {
  '/moves': Move;
  '/settlements': Settlement;
  '/withdrawals': Withdrawal;
}

const READ: { [Path in keyof Lists]: (query: never, signal: AbortSignal) => Promise<Page<Lists[Path]>> } = {
  '/moves': (query, signal) => answered(live.GET('/moves', { params: { query }, signal })),
  '/settlements': (query, signal) => answered(live.GET('/settlements', { params: { query }, signal })),
  '/withdrawals': (query, signal) => answered(live.GET('/withdrawals', { params: { query }, signal })),
};
const FILTERS = ['status', 'resolution', 'position_id'] as const;

interface ReportedListProps<Path extends keyof Lists> {
  path: Path;
  /** One record, as a sentence names it. */
  noun: string;
  statuses: readonly string[];
  title: string;
  remark: string;
  /** Where the first record comes from. */
  first: string;
  /** A filter of this list alone. */
  filter?: ComponentChildren;
  /** A message above the list. */
  said?: ComponentChildren;
  /** @param csv the path of the list as CSV */
  children: (rows: readonly Lists[Path][], csv: string, reload: () => void) => ComponentChildren;
}

/** Records that executors report, with filters by status and by position. */
export function ReportedList<Path extends keyof Lists>(props: ReportedListProps<Path>) {
  const { path, noun, statuses, title, remark, first, filter, said, children } = props;
  const wanted = useNarrowed(FILTERS);
  const list = useListing<Lists[Path]>(`${path} ${JSON.stringify(wanted)}`, (cursor, signal) =>
    READ[path](asked({ ...wanted, cursor }), signal),
  );
  const isNarrowed = Object.keys(wanted).length > 0;
  return (
    <>
      <Filters>
        <Choice
          name="Status"
          field="status"
          all="Every status"
          options={statuses.map((status) => [status, status])}
        />
        {filter}
        <PositionFilter />
        <button type="button" onClick={list.reload}>
          Refresh
        </button>
      </Filters>
      {said}
      <Panel title={title} remark={remark}>
        <Listed
          of={list}
          empty={
            <Empty title={isNarrowed ? `No ${noun} matches.` : `There is no ${noun} yet.`}>
              <p>{isNarrowed ? 'Remove a filter.' : first}</p>
            </Empty>
          }
        >
          {(rows) => children(rows, listPath(path, wanted), list.reload)}
        </Listed>
      </Panel>
    </>
  );
}

/** Shows that the list is filtered by one position, if the address names one. */
function PositionFilter() {
  const { query, set } = useFilters();
  const id = query['position_id'];
  if (id === undefined) return null;
  return (
    <p class="filter-fact">
      Of <code>{id}</code>{' '}
      <button type="button" class="small" onClick={() => set({ position_id: null })}>
        Of all positions
      </button>
    </p>
  );
}
