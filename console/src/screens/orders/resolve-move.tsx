import { answered, live } from '../../api/client.js';
import { ResolveForm } from '../administration/resolve-form.js';
import { isContradicted } from '../administration/settlement-words.js';
import { CHECKED_STEPS, MEANINGS, type Move, RESOLUTIONS } from './move-words.js';
import { ReportPanel } from './report-panel.js';

interface ResolveMoveProps {
  move: Move;
  onResolved: () => void;
}

/** Resolves reports on a move that their chain contradicts. */
export const ResolveMove = ({ move, onResolved }: ResolveMoveProps) => (
  <ReportPanel<Move>
    id={move.id}
    title="Contradicted reports"
    remark="Until each is resolved, the key that made it reports nothing more."
    take={null}
    reports={CHECKED_STEPS.filter(([step]) => {
      const check = move[step]?.check;
      return check && isContradicted(check);
    }).map(([step, name]) => ({
      button: `Resolve the ${name}`,
      title: `Resolve the report of the ${name}`,
      form: (onReported) => (
        <ResolveForm
          of="move"
          resolutions={RESOLUTIONS}
          voided="The funds return to where they were. It is refused once more was booked to them."
          send={async (header, body) => {
            const params = { path: { id: move.id }, header };
            return (await answered(live.POST('/moves/{id}/resolve', { params, body: { step, ...body } })))
              .data;
          }}
          onResolved={onReported}
        />
      ),
    }))}
    say={({ status }) => ({ text: `Resolved: ${status}. ${MEANINGS[status]}`, isUnwanted: false })}
    onReported={onResolved}
  />
);
