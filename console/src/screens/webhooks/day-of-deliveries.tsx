import { LineChart } from '../../charts/line-chart.js';
import { counted, countText } from '../../format/figures.js';
import { DAY, HOUR, utcText } from '../../format/time.js';
import { Panel } from '../../ui/panel.js';
import { Empty } from '../../ui/state.js';
import type { Delivery } from './delivery-words.js';

/** The most deliveries that an answer has: of a day with more, only the newest are known. */
export const DAY_PAGE = 500;
const PARTS = DAY / HOUR;
const MINUTE = HOUR / 60;
const TITLE = 'Deliveries over time';

/** The newest may be ahead of this clock: an account of the sandbox has its own. */
const nowOf = (deliveries: readonly Delivery[]): number =>
  Math.max(Date.now(), ...deliveries.map(({ at }) => Date.parse(at)));

/** How many deliveries to an endpoint ended within a day, and the part that succeeded. */
export function dayOf(deliveries: readonly Delivery[], id: string): { count: number; rate: number | null } {
  const now = nowOf(deliveries);
  const ended = deliveries.filter(
    ({ webhook_id, at, status }) => webhook_id === id && status !== 'pending' && Date.parse(at) > now - DAY,
  );
  const good = ended.filter(({ status }) => status === 'delivered').length;
  return { count: ended.length, rate: ended.length === 0 ? null : good / ended.length };
}

/** Deliveries of the last 24 hours, or of the time of which all are known. @param newest the newest deliveries, up to `DAY_PAGE` */
export function DayOfDeliveries({ newest }: { newest: readonly Delivery[] }) {
  const now = nowOf(newest);
  const oldest = newest.at(-1)?.at ?? '';
  const isPart = newest.length >= DAY_PAGE && Date.parse(oldest) > now - DAY;
  const length = isPart ? Math.max(1, Math.ceil((now - Date.parse(oldest)) / PARTS / MINUTE)) * MINUTE : HOUR;
  const first = (Math.floor(now / length) - PARTS + 1) * length;
  const parts = Array.from({ length: PARTS }, (_, part) => ({
    at: first + part * length,
    all: 0,
    failed: 0,
  }));
  for (const { at, status } of newest) {
    const part = parts[Math.floor((Date.parse(at) - first) / length)];
    if (!part) continue;
    part.all++;
    if (status === 'failed') part.failed++;
  }
  const sumOf = (name: 'all' | 'failed'): number => parts.reduce((sum, part) => sum + part[name], 0);
  if (sumOf('all') === 0)
    return (
      <Panel title={TITLE}>
        <Empty title="Nothing was sent in the last 24 hours." />
      </Panel>
    );
  const known = (name: 'all' | 'failed') =>
    parts.map((part) => (isPart && part.at < Date.parse(oldest) ? null : part[name]));
  return (
    <section class="panel">
      <LineChart
        title={TITLE}
        summary={
          isPart
            ? `By ${length / MINUTE} min. Only the newest ${countText(DAY_PAGE)} are listed: what was sent up to ${utcText(oldest)} UTC is not known.`
            : `By the hour, in 24 hours up to the present one: ${counted(sumOf('all'), 'event')}, of which ${countText(sumOf('failed'))} failed.`
        }
        times={parts.map(({ at }) => new Date(at).toISOString())}
        series={[
          { name: 'All', values: known('all') },
          { name: 'Failed', values: known('failed') },
        ]}
        axis={(count) => (Number.isInteger(count) ? countText(count) : '')}
        exact={(count) => countText(count)}
        shape="bars"
        height={180}
      />
    </section>
  );
}
