import type { Schemas } from '../../api/contract.js';
import { Rate } from '../../format/figures.js';
import { Tile } from '../../ui/panel.js';

const REASONS: Record<NonNullable<Schemas['Regime']['reason']>, string> = {
  silent_feed: 'no observation for over three hours',
  short_history: 'too little history',
};

/** The regime of the market, over all assets and by asset. */
export function RegimeTiles({ regime }: { regime: Schemas['Regime'] }) {
  const all = { ...regime, asset: 'Market' };
  return (
    <dl class="tiles">
      {[all, ...regime.assets].map(({ asset, regime: name, reason, apy, trend, volatility }, at) => (
        <Tile
          key={asset}
          name={asset}
          lead={at === 0}
          remark={
            reason ? (
              REASONS[reason]
            ) : (
              <>
                <Rate rate={apy} /> · trend <Rate rate={trend} points /> a day · volatility{' '}
                <Rate rate={volatility} />
              </>
            )
          }
        >
          <span class={`regime ${name ?? 'unknown'}`}>{name ?? 'unknown'}</span>
        </Tile>
      ))}
    </dl>
  );
}
