import { useState } from 'preact/hooks';
import { answered, api } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { countText } from '../../format/figures.js';
import { Time } from '../../format/time.js';
import { Screen } from '../../ui/screen.js';
import { Tile } from '../../ui/panel.js';
import { Loaded } from '../../ui/state.js';
import { ClockPanel } from './clock-panel.js';
import { EventPanel } from './event-panel.js';
import { MarketPanel } from './market-panel.js';
import { ResetPanel } from './reset-panel.js';

/** Controls of the account's clock and market. */
export function SandboxScreen() {
  const clock = useResource('clock', (signal) => answered(api.GET('/simulation/clock', { signal })));
  const [running, setRunning] = useState(false);
  return (
    <Screen title="Sandbox" lead="Your account’s own clock and market. Nothing here affects other accounts.">
      <Loaded of={clock}>
        {({ data }) => (
          <>
            <dl class="tiles">
              <Tile
                name="Account’s time, UTC"
                lead
                remark={`${countText(data.hours_ahead)} hours ahead of wall time`}
              >
                <Time at={data.now} />
              </Tile>
              <Tile name="Newest hour that was run">
                <Time at={data.hour} />
              </Tile>
              <Tile
                name="Scenario"
                remark={
                  data.scenario_from ? (
                    <>
                      since <Time at={data.scenario_from} />
                    </>
                  ) : (
                    'no scenario is active'
                  )
                }
              >
                {data.scenario ?? 'none'}
              </Tile>
              <Tile name="Seed" remark="the same seed makes the same market">
                <code>{data.seed}</code>
              </Tile>
            </dl>
            <div class="columns">
              <ClockPanel onRunning={setRunning} onAdvanced={clock.reload} />
              <MarketPanel scenario={data.scenario} disabled={running} onBent={clock.reload} />
              <EventPanel />
              <ResetPanel seed={data.seed} disabled={running} onReset={clock.reload} />
            </div>
          </>
        )}
      </Loaded>
    </Screen>
  );
}
