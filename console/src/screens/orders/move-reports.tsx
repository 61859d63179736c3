import type { ComponentProps } from 'preact';
import { answered, live } from '../../api/client.js';
import { MEANINGS, type Move, stepsOf } from './move-words.js';
import { ReportFailed } from './report-failed.js';
import { type Report, ReportPanel } from './report-panel.js';
import { ReportTransfer } from './report-transfer.js';

interface MoveReportsProps {
  move: Move;
  onReported: () => void;
}

/** Reports of an executor on a move. */
export function MoveReports({ move, onReported }: MoveReportsProps) {
  const { id } = move;
  const steps = stepsOf(move);
  const reports = [steps.redeem && redemptionOf(move), steps.settle && arrivalOf(move), failureOf(move)];
  return (
    <ReportPanel
      id={id}
      take={
        steps.take
          ? (header) => moveOf(answered(live.POST('/moves/{id}/taken', { params: { path: { id }, header } })))
          : null
      }
      reports={steps.fail ? reports.filter((report) => report !== false) : []}
      say={(reported) => ({
        text: `${reported.status}. ${MEANINGS[reported.status]} ${reported.note ?? ''}`,
        isUnwanted: isUnwanted(reported),
      })}
      onReported={onReported}
    />
  );
}

type Sending = ComponentProps<typeof ReportTransfer<Move>>['send'];

const transferOf = (
  { asset, amount }: Move,
  { amountName, ...words }: Record<'button' | 'title' | 'amountName', string>,
  send: Sending,
): Report<Move> => ({
  ...words,
  form: (onReported) => (
    <ReportTransfer
      asset={asset}
      amountName={amountName}
      expected={amount}
      difference="The difference is the move’s cost, or its gain."
      send={send}
      onReported={onReported}
    />
  ),
});

const REDEMPTION = {
  button: 'Report the redemption',
  title: 'Report that the funds left their vault',
  amountName: 'Amount that the vault paid out for this move',
};
const redemptionOf = (move: Move): Report<Move> =>
  transferOf(move, REDEMPTION, (header, body) => {
    const params = { path: { id: move.id }, header };
    return moveOf(answered(live.POST('/moves/{id}/redeemed', { params, body })));
  });

const ARRIVAL = {
  button: 'Report the arrival',
  title: 'Report that the funds are in their new vault',
  amountName: 'Amount of this move that arrived in the new vault',
};
const arrivalOf = (move: Move): Report<Move> =>
  transferOf(move, ARRIVAL, (header, body) => {
    const params = { path: { id: move.id }, header };
    return moveOf(answered(live.POST('/moves/{id}/settled', { params, body })));
  });

const failureOf = ({ id }: Move): Report<Move> => ({
  button: 'Report that it failed',
  title: 'Report that the move failed',
  isFailure: true,
  form: (onReported) => (
    <ReportFailed
      of="move"
      effect="What has left its vault becomes cash, the rest stays where it is, and the next hour judges both again."
      send={(header, body) =>
        moveOf(answered(live.POST('/moves/{id}/failed', { params: { path: { id }, header }, body })))
      }
      onReported={onReported}
    />
  ),
});

/** The move of an answer; a report on several moves has a list. */
const moveOf = async (asking: Promise<{ data: Move | Move[] }>): Promise<Move> =>
  [(await asking).data].flat()[0]!;

/** The move failed without a report, because its target no longer takes the funds: they must not be sent on. */
const isUnwanted = ({ failure }: Move): boolean => failure !== null && failure !== 'reported';
