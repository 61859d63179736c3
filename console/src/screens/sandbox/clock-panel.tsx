import { useRef, useState } from 'preact/hooks';
import { answered, api } from '../../api/client.js';
import { countText } from '../../format/figures.js';
import { useAction } from '../../ui/action.js';
import { Panel } from '../../ui/panel.js';
import { Refusal } from '../../ui/state.js';

const STEPS = [
  ['+1 h', 1],
  ['+1 d', 24],
  ['+1 week', 168],
  ['+30 d', 720],
] as const;
/** Hours of one request: progress is shown day by day. */
const AT_ONCE = 24;

interface AdvanceSummary {
  hours: number;
  of: number;
  rebalances: number;
  accruals: number;
  events: number;
}

interface ClockPanelProps {
  onRunning: (running: boolean) => void;
  onAdvanced: () => void;
}

/** Advances the account's clock, one day a request, so that progress is visible and can be stopped. */
export function ClockPanel({ onRunning, onAdvanced }: ClockPanelProps) {
  const [advanced, setAdvanced] = useState<AdvanceSummary | null>(null);
  const stopped = useRef(false);
  const { busy, error, run } = useAction();
  const advance = async (of: number): Promise<void> => {
    stopped.current = false;
    const sum: AdvanceSummary = { hours: 0, of, rebalances: 0, accruals: 0, events: 0 };
    setAdvanced(sum);
    onRunning(true);
    await run(async () => {
      while (sum.hours < of && !stopped.current) {
        const body = { hours: Math.min(AT_ONCE, of - sum.hours) };
        const { data } = await answered(api.POST('/simulation/clock/advance', { body }));
        sum.hours += data.hours;
        sum.rebalances += data.rebalances;
        sum.accruals += data.accruals;
        sum.events += data.events;
        setAdvanced({ ...sum });
      }
    });
    onRunning(false);
    onAdvanced();
  };
  return (
    <Panel
      title="Clock"
      remark="Forward only: every hour is run in order, market, routing, statements and events."
    >
      <div class="button-row">
        {STEPS.map(([name, hours]) => (
          <button type="button" key={name} disabled={busy} onClick={() => void advance(hours)}>
            {name}
          </button>
        ))}
        {busy && (
          <button
            type="button"
            class="danger"
            onClick={() => {
              stopped.current = true;
            }}
          >
            Stop after this day
          </button>
        )}
      </div>
      {advanced && (
        <>
          <progress max={advanced.of} value={advanced.hours} aria-label="Hours that were run" />
          <p role="status" class="note">
            {countText(advanced.hours)} of {countText(advanced.of)} hours run:{' '}
            {countText(advanced.rebalances)} positions moved, {countText(advanced.accruals)} accruals posted,{' '}
            {countText(advanced.events)} events raised.
          </p>
        </>
      )}
      {error && <Refusal error={error} />}
    </Panel>
  );
}
