import { useRoute } from 'preact-iso';
import { answered, live } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { executes, traits } from '../../api/session.js';
import { useUserNames } from '../../api/users.js';
import { counted, Money, Nothing } from '../../format/figures.js';
import { Time } from '../../format/time.js';
import { Badge } from '../../ui/badge.js';
import { CopyButton, RecordId } from '../../ui/copy-button.js';
import { useNarrowed } from '../../ui/filters.js';
import { Panel, Tile } from '../../ui/panel.js';
import { Screen } from '../../ui/screen.js';
import { Loaded } from '../../ui/state.js';
import { OrderCalls } from '../orders/order-calls.js';
import { TokenUnits, Who } from '../orders/record-facts.js';
import { type Step, StepsTable } from '../orders/steps-table.js';
import { PlaceLink } from '../place-link.js';
import { isOpen } from '../places.js';
import { PartsTable } from './parts-table.js';
import { WithdrawalReports } from './withdrawal-reports.js';
import { FAILURES, isOpenWithdrawal, MEANINGS, STATUSES, type Withdrawal } from './withdrawal-words.js';

/** One withdrawal: its amount, its parts, its progress, the calls that pay it, and the reports that may follow. */
export function WithdrawalScreen() {
  const id = useRoute().params['id'] ?? '';
  const { account } = useNarrowed(['account']);
  const withdrawal = useResource(`${id} ${account}`, (signal) =>
    answered(
      live.GET('/withdrawals/{id}', {
        params: { path: { id }, ...(account && { query: { account } }) },
        signal,
      }),
    ),
  );
  return (
    <Screen
      title="Withdrawal"
      above={{ name: 'Withdrawals', path: '/console/withdrawals' }}
      lead={<RecordId id={id} />}
    >
      <Loaded of={withdrawal}>
        {({ data }) => (
          <>
            <WithdrawalFacts withdrawal={data} />
            {executes() && (
              <WithdrawalReports withdrawal={data} onReported={withdrawal.reload} key={data.id} />
            )}
            {traits().executes && isOpenWithdrawal(data) && (
              <OrderCalls
                calls={data.calls}
                exception="The transfer needs a known wallet, and parts on one chain."
                account={account}
              />
            )}
            <Panel title="Parts" remark="Cash first, then the vault that is expected to yield the least.">
              <PartsTable parts={data.parts} asset={data.asset} />
            </Panel>
            <StepsTable
              steps={stepsOf(data)}
              asset={data.asset}
              unsent="the server paid it"
              busy={withdrawal.loading}
            />
          </>
        )}
      </Loaded>
    </Screen>
  );
}

function WithdrawalFacts({ withdrawal }: { withdrawal: Withdrawal }) {
  const { status, failure, note, user_id, asset, wallet, parts, tx_hash } = withdrawal;
  const nameOf = useUserNames([user_id]);
  const settlements = `/console/administration/settlements?position_id=${parts[0]?.position_id}`;
  return (
    <>
      <section class="verdict" aria-label="What is withdrawn">
        <p class="verdict-head">
          <Badge tone={STATUSES[status]}>{status}</Badge>
          <span class="verdict-way">
            <PlaceLink to={`/console/users/${user_id}`}>
              <span class="breaking">{nameOf(user_id)}</span>
            </PlaceLink>
          </span>
          <Time at={withdrawal.requested_at} />
        </p>
        <p class="verdict-why">
          {MEANINGS[status]}
          {failure && ` It ended because ${FAILURES[failure]}.`}
          {note && ` Noted: ${note}`}
        </p>
      </section>
      <dl class="tiles">
        <Tile name="Amount" lead remark={`from ${counted(parts.length, 'position')}`}>
          <Money amount={withdrawal.amount} unit={asset} />
        </Tile>
        <Tile name="Paid" remark="to the end-user">
          {withdrawal.paid_amount === null ? (
            <Nothing why="not paid" />
          ) : (
            <Money amount={withdrawal.paid_amount} />
          )}
        </Tile>
        <Tile name="Cost" remark="less was paid than left the positions">
          <Money amount={withdrawal.cost} />
        </Tile>
      </dl>
      <Panel title="Details">
        <dl class="facts">
          <dt>Wallet</dt>
          <dd>
            {wallet === null ? (
              'none is known'
            ) : (
              <>
                <code class="breaking">{wallet}</code> <CopyButton text={wallet} name="wallet" />
              </>
            )}
          </dd>
          <TokenUnits amount={withdrawal.amount} />
          <Who of={withdrawal} {...(status === 'paid' && { untaken: 'the server paid it at once' })} />
          {tx_hash !== null && isOpen(settlements) && (
            <>
              <dt>On its chain</dt>
              <dd>
                <a href={settlements}>settlements of its first position</a>
              </dd>
            </>
          )}
        </dl>
      </Panel>
    </>
  );
}

/** Only one that nobody took up lapses. */
const LAPSES: Partial<Record<Withdrawal['status'], string>> = {
  requested: 'Lapses, unless it is taken up',
  lapsed: 'Lapsed',
};

function stepsOf(withdrawal: Withdrawal): Step[] {
  const { status, requested_at, expires_at, taken_at, paid_at, ended_at, paid_amount, tx_hash, chain } =
    withdrawal;
  const lapse = LAPSES[status];
  const report = paid_at === null ? null : { amount: paid_amount, tx_hash };
  return [
    { name: 'Requested', at: requested_at },
    ...(lapse ? [{ name: lapse, at: ended_at ?? expires_at }] : []),
    { name: 'Taken up', at: taken_at },
    { name: 'Paid', at: paid_at, report, chain },
    ...(status === 'failed' ? [{ name: 'Failed', at: ended_at }] : []),
  ];
}
