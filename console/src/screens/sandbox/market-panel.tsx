import { useState } from 'preact/hooks';
import { answered, api } from '../../api/client.js';
import type { Schemas } from '../../api/contract.js';
import { useAction } from '../../ui/action.js';
import { Panel } from '../../ui/panel.js';
import { Refusal } from '../../ui/state.js';

type Scenario = Schemas['BendMarketRequest']['scenario'];

const SCENARIOS: Record<Scenario, string> = {
  calm: 'A quarter of the usual noise, and no spikes.',
  rising: 'Rates drift up for 8 days and stay there.',
  falling: 'Rates drift down for 8 days and stay there.',
  volatile: 'A jump, then six times the noise for 24 hours.',
  outage: 'The lending vaults are silent for 30 hours.',
  loss: 'The riskiest vault of each asset loses 5 % of its index in an hour.',
  run: '70 % of the riskiest vault’s assets leave within 12 hours.',
  failing: 'The riskiest vault empties over a week at a yield beyond 30 %, then loses 40 %.',
  stalled: 'No move is carried out for 30 hours; after 24 it lapses.',
  queue: 'Every vault pays out after 24 hours.',
  full: 'No vault takes funds.',
};

interface MarketPanelProps {
  scenario: Scenario | null;
  disabled: boolean;
  onBent: () => void;
}

/** Sets a scenario for the account's market, from its next hour on. */
export function MarketPanel({ scenario, disabled, onBent }: MarketPanelProps) {
  const [chosen, setChosen] = useState<Scenario>(scenario ?? 'volatile');
  const { busy, error, run } = useAction();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (await run(() => answered(api.POST('/simulation/market', { body: { scenario: chosen } })))) onBent();
  };
  return (
    <Panel title="Market" remark="From the next hour on. A scenario replaces the previous one.">
      <form onSubmit={(event) => void submit(event)}>
        <label class="field">
          <span>Scenario</span>
          <select value={chosen} onChange={(event) => setChosen(event.currentTarget.value as Scenario)}>
            {Object.keys(SCENARIOS).map((name) => (
              <option value={name} key={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <p class="note">{SCENARIOS[chosen]}</p>
        {error && <Refusal error={error} />}
        <button type="submit" disabled={busy || disabled}>
          Set the scenario
        </button>
      </form>
    </Panel>
  );
}
