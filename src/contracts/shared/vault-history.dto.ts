import { toUnits } from '../../domain/books/positions/amount.js';
import type { VaultHistory } from '../../domain/reporting/vault-history.service.js';
import { type Interval, INTERVALS } from '../../domain/reporting/yield-history.service.js';
import { type RoundedRate, roundRate } from '../../domain/kernel/rate.js';
import { said } from '../../http/answer/said.js';
import { Shown } from '../../http/answer/shown.js';
import { Spanned } from '../../http/answer/envelope.interceptor.js';

export class VaultPoint {
  @Shown.time('Beginning of the hour or day.') at: string;
  @Shown.rate(
    'What the vault was observed to yield a year, as a fraction: 0.0523 is 5.23 %. Of a day: the mean of the hours that are known. null where it was not observed.',
    0.0523,
    { nullable: true },
  )
  apy: RoundedRate | null;
  @Shown.rate(
    'What `expected_risk_adjusted_apy` of its signal was in that hour. Of a day: the mean of the hours that have one. null while history was short, and of hours before this was kept.',
    0.0441,
    { nullable: true },
  )
  expected_risk_adjusted_apy: RoundedRate | null;
  @Shown.number(
    'What everybody held there, in whole asset units; of a day, at the newest of its hours that is known. null where it is not.',
    812_345_678.12,
    { nullable: true },
  )
  tvl: number | null;
  @Shown.number(
    'What a share is worth at the beginning of the hour, of a day at that of its newest hour; 1 where the vault was first seen.',
    1.004321987654,
  )
  index: number;
}

export class VaultHistoryDto {
  @Shown.text('Vault that the series is of.', said('vault')) vault_id: string;
  @Shown.choice(INTERVALS, 'What a point is of.', 'hour') interval: Interval;
  @Shown.records(() => VaultPoint, 'Oldest first. An hour that nothing was recorded of has no point.')
  points: VaultPoint[];
}

export const vaultHistoryView = ({
  vaultId,
  interval,
  points,
  nextFrom,
}: VaultHistory): Spanned<VaultHistoryDto> =>
  new Spanned(
    {
      vault_id: vaultId,
      interval,
      points: points.map(({ at, apy, riskAdjustedApy, tvl, index }) => ({
        at: at.toISOString(),
        apy: roundRate(apy),
        expected_risk_adjusted_apy: roundRate(riskAdjustedApy),
        tvl: tvl === null ? null : toUnits(tvl),
        index: Number(index.toFixed(12)),
      })),
    },
    nextFrom,
  );
