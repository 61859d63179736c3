import type { Decision } from '../../api/decisions.js';
import { aligned, timesOf, vaultHistory } from '../../api/history.js';
import { useResource } from '../../api/resource.js';
import { isIdle, vaultName } from '../../api/vaults.js';
import { COLOURS } from '../../charts/colours.js';
import { LineChart } from '../../charts/line-chart.js';
import { Rate, rateText } from '../../format/figures.js';
import { HOUR } from '../../format/time.js';
import { useFilters } from '../../ui/filters.js';
import { Empty, Loading, Refusal } from '../../ui/state.js';

const RATES = { expected_risk_adjusted_apy: 'Expected, risk-adjusted', apy: 'Observed' } as const;
type RateName = keyof typeof RATES;
const HOURS_AROUND = 72;

/** The chosen vault and the one that was left, with the best other candidates. */
function shownOf({ alternatives, from_vault_id }: Decision): string[] {
  const vaults = alternatives.filter(({ vault_id }) => !isIdle(vault_id));
  const concerned = vaults.filter(({ chosen, vault_id }) => chosen || vault_id === from_vault_id);
  const others = vaults.filter((vault) => !concerned.includes(vault));
  return [...concerned, ...others].slice(0, COLOURS).map(({ vault_id }) => vault_id);
}

/** Yields of the candidates, from three days before the decision on. */
export function CandidatesChart({ decision }: { decision: Decision }) {
  const { query, set } = useFilters();
  const hour = Date.parse(decision.snapshot_hour);
  const span = {
    from: new Date(hour - HOURS_AROUND * HOUR).toISOString(),
    to: new Date(hour + HOURS_AROUND * HOUR).toISOString(),
    interval: 'hour' as const,
  };
  const ids = shownOf(decision);
  const { data, error, reload } = useResource(decision.id, (signal) =>
    Promise.all(ids.map((id) => vaultHistory(id, span, signal))),
  );
  if (error) return <Refusal error={error} again={reload} />;
  if (data === null) return <Loading />;
  const times = timesOf(...data);
  // The expected risk-adjusted yield is the one that decides; it is not kept for old hours.
  const hasPoints = data.some((points) =>
    points.some(({ expected_risk_adjusted_apy }) => expected_risk_adjusted_apy !== null),
  );
  const rate: RateName = query['rate'] === 'apy' || !hasPoints ? 'apy' : 'expected_risk_adjusted_apy';
  if (times.length < 2)
    return (
      <section class="panel">
        <Empty title="The market hours around this decision are no longer stored." />
      </section>
    );
  return (
    <section class="panel">
      <LineChart
        title="The candidates’ yields around that hour"
        summary={`${RATES[rate]} yield a year, hour by hour; hours to the right of the mark were unknown when it was decided.`}
        times={times}
        series={data.map((points, at) => ({
          name: vaultName(ids[at] ?? ''),
          values: aligned(times, points, rate),
        }))}
        axis={(value) => rateText(value, 1)}
        exact={(value) => <Rate rate={value} />}
        mark={{ at: decision.snapshot_hour, name: 'decided' }}
        actions={
          <div class="segments" role="group" aria-label="Yield shown">
            {(Object.keys(RATES) as RateName[]).map((each) => (
              <button
                type="button"
                key={each}
                aria-pressed={each === rate}
                onClick={() => set({ rate: each === 'apy' ? 'apy' : null })}
              >
                {RATES[each]}
              </button>
            ))}
          </div>
        }
      />
    </section>
  );
}
