import { formatAmount } from '../../kernel/money.js';
import { type Fact, type KnownFact, subjectOf } from '../../outbound/alerts/alert.js';
import { deviationOf, type Reserve } from '../../reporting/reserves/reserve.js';
import type { ReservesReading } from '../../reporting/reserves/reserves.service.js';
import type { WatchedVault } from './vault-alerts.js';

export const isOfReserves = ({ kind }: Fact): boolean =>
  kind === 'reserves_short' || kind === 'reserves_over';

/**
 * Changes of the facts on reserves: one begins with the second of two known readings that deviate in the same way, and ends with the first that does
 * not, or where the vault has left the catalogue. An unknown reserve changes nothing.
 * @param open open facts on reserves
 */
export function watchReserves(
  { reserves, before }: ReservesReading,
  open: readonly KnownFact[],
): WatchedVault {
  const previous = new Map(before.map((reserve) => [subjectOf(reserve), reserve]));
  const begun: Fact[] = [];
  const over = new Set(open);
  for (const reserve of reserves) {
    const { chainHolds } = reserve;
    const subject = subjectOf(reserve);
    const facts = open.filter((fact) => fact.subject === subject);
    const deviation = deviationOf(reserve);
    const kind = deviation === null ? null : (`reserves_${deviation}` as const);
    for (const fact of facts) if (chainHolds === null || fact.kind === kind) over.delete(fact);
    const last = previous.get(subject);
    const isSecond = last !== undefined && deviationOf(last) === deviation;
    if (kind !== null && isSecond && !facts.some((fact) => fact.kind === kind))
      begun.push({ kind, subject, why: whyOf(reserve), since: last.readAt });
  }
  return { begun, over: [...over] };
}

function whyOf({ asset, books, chainHolds, inFlight, chain, block }: Reserve): string {
  const flight = inFlight === 0n ? '' : `, with ${formatAmount(inFlight)} in flight`;
  const place = block === null ? '' : ` at block ${block} of ${chain}`;
  return `${formatAmount(chainHolds!)} of ${formatAmount(books)} ${asset}${place}${flight}`;
}
