import { useState } from 'preact/hooks';
import { answered, live } from '../../api/client.js';
import { useOnce } from '../../api/once.js';
import { useAction } from '../../ui/action.js';
import { Dialog } from '../../ui/dialog.js';
import { Panel } from '../../ui/panel.js';
import { Refusal } from '../../ui/state.js';
import { MEANINGS, type Move, stepsOf } from './move-words.js';
import { ReportFailed } from './report-failed.js';
import { ReportTransfer, type TransferStep } from './report-transfer.js';

interface MoveReportsProps {
  move: Move;
  onReported: () => void;
}

type OpenDialog = TransferStep | 'failed' | null;

const TITLES: Record<NonNullable<OpenDialog>, string> = {
  redeemed: 'Report that the funds left their vault',
  settled: 'Report that the funds are in their new vault',
  failed: 'Report that the move failed',
};

/** Reports of an executor on a move. */
export function MoveReports({ move, onReported }: MoveReportsProps) {
  const [asking, setAsking] = useState<OpenDialog>(null);
  const [reported, setReported] = useState<Move | null>(null);
  const { busy, error, run } = useAction();
  const once = useOnce();
  const { id } = move;
  const steps = stepsOf(move);
  const report = (answer: Move): void => {
    setAsking(null);
    setReported(answer);
    onReported();
  };
  const take = async (): Promise<void> => {
    const taken = await run(() =>
      once(id, (header) => answered(live.POST('/moves/{id}/taken', { params: { path: { id }, header } }))),
    );
    if (taken) report([taken.data].flat()[0]!);
  };
  return (
    <>
      <p role="status" class={reported ? `said ${isUnwanted(reported) ? 'bad' : 'good'}` : 'said'}>
        {reported && `${reported.status}. ${MEANINGS[reported.status]} ${reported.note ?? ''}`}
      </p>
      {error && <Refusal error={error} />}
      {steps.fail && (
        <Panel
          title="Report"
          remark="Report amounts as they are on the chain: the books record what is reported."
        >
          <div class="button-row">
            {steps.take && (
              <button type="button" class="primary" disabled={busy} onClick={() => void take()}>
                {busy ? 'Taking it up' : 'Take up'}
              </button>
            )}
            {steps.redeem && (
              <button type="button" disabled={busy} onClick={() => setAsking('redeemed')}>
                Report the redemption
              </button>
            )}
            {steps.settle && (
              <button type="button" disabled={busy} onClick={() => setAsking('settled')}>
                Report the arrival
              </button>
            )}
            <button type="button" class="danger" disabled={busy} onClick={() => setAsking('failed')}>
              Report that it failed
            </button>
          </div>
        </Panel>
      )}
      <Dialog title={asking ? TITLES[asking] : ''} open={asking !== null} onClose={() => setAsking(null)}>
        {asking === 'failed' && <ReportFailed move={move} onReported={report} />}
        {(asking === 'redeemed' || asking === 'settled') && (
          <ReportTransfer move={move} step={asking} onReported={report} />
        )}
      </Dialog>
    </>
  );
}

/** The move failed without a report, because its target no longer takes the funds: they must not be sent on. */
const isUnwanted = ({ failure }: Move): boolean => failure !== null && failure !== 'reported';
