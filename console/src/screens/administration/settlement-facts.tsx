import { Money } from '../../format/figures.js';
import { Time } from '../../format/time.js';
import { Badge } from '../../ui/badge.js';
import { CopyButton } from '../../ui/copy-button.js';
import { PlaceLink } from '../place-link.js';
import { REASONS, type Settlement, STATUSES } from './settlement-words.js';

/** A transfer as it was reported, and as its chain has it. */
export const SettlementFacts = ({ settlement }: { settlement: Settlement }) => (
  <dl class="facts">
    <dt>Status</dt>
    <dd>
      <Badge tone={STATUSES[settlement.status]}>{settlement.status}</Badge>
      {settlement.reason && ` ${REASONS[settlement.reason]}`}
    </dd>
    <dt>Reported</dt>
    <dd>
      {settlement.type} of <Money amount={settlement.amount} unit={settlement.asset} />,{' '}
      <Time at={settlement.reported_at} /> UTC
    </dd>
    <dt>Found</dt>
    <dd>
      <Money amount={settlement.found_amount} unit={settlement.asset} />
      {settlement.block !== null && `, block ${settlement.block}`}
    </dd>
    <dt>Chain</dt>
    <dd>
      {settlement.chain ?? 'not named'}, asked <Time at={settlement.checked_at} />
    </dd>
    <dt>Transaction</dt>
    <dd>
      <code class="breaking">{settlement.tx_hash}</code>{' '}
      <CopyButton text={settlement.tx_hash} name="transaction hash" />
    </dd>
    <dt>Position</dt>
    <dd>
      <PlaceLink to={`/console/positions/${settlement.position_id}`}>
        <code class="breaking">{settlement.position_id}</code>
      </PlaceLink>
      , <a href={`/console/orders?position_id=${settlement.position_id}`}>moves of its deposit</a>
    </dd>
    <dt>Settlement</dt>
    <dd>
      <code class="breaking">{settlement.id}</code>
    </dd>
    {settlement.resolution && (
      <>
        <dt>Resolved</dt>
        <dd class="breaking">
          {settlement.resolution}, <Time at={settlement.resolved_at} /> UTC: {settlement.note}
        </dd>
      </>
    )}
  </dl>
);
