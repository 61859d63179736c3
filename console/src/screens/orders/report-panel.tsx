import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type OnceHeader, useOnce } from '../../api/once.js';
import { useAction } from '../../ui/action.js';
import { Dialog } from '../../ui/dialog.js';
import { Panel } from '../../ui/panel.js';
import { Refusal } from '../../ui/state.js';

/** A report with a form of its own. */
export interface Report<T> {
  button: string;
  /** Title of its dialog. */
  title: string;
  isFailure?: boolean;
  form: (onReported: (record: T) => void) => ComponentChildren;
}

interface ReportPanelProps<T> {
  id: string;
  title?: string;
  remark?: string;
  /** Takes the record up; null where nobody may. */
  take: ((header: OnceHeader) => Promise<T>) | null;
  /** Reports that may follow in the present state. */
  reports: readonly Report<T>[];
  /** Says what a report has led to. */
  say: (record: T) => { text: string; isUnwanted: boolean };
  onReported: () => void;
}

/** Reports on one record, each with a dialog. */
export function ReportPanel<T>({
  id,
  title = 'Report',
  remark = 'Report amounts as they are on the chain: the books record what is reported.',
  take,
  reports,
  say,
  onReported,
}: ReportPanelProps<T>) {
  const [asking, setAsking] = useState<string | null>(null);
  const [said, setSaid] = useState<ReturnType<typeof say> | null>(null);
  const { busy, error, run } = useAction();
  const once = useOnce();
  const asked = reports.find(({ button }) => button === asking);
  const report = (record: T): void => {
    setAsking(null);
    setSaid(say(record));
    onReported();
  };
  const takeUp = async (send: NonNullable<typeof take>): Promise<void> => {
    const taken = await run(() => once(id, send));
    if (taken) report(taken);
  };
  return (
    <>
      <p role="status" class={said ? `said ${said.isUnwanted ? 'bad' : 'good'}` : 'said'}>
        {said?.text}
      </p>
      {error && <Refusal error={error} />}
      {reports.length > 0 && (
        <Panel title={title} remark={remark}>
          <div class="button-row">
            {take && (
              <button type="button" class="primary" disabled={busy} onClick={() => void takeUp(take)}>
                {busy ? 'Taking it up' : 'Take up'}
              </button>
            )}
            {reports.map(({ button, isFailure }) => (
              <button
                type="button"
                class={isFailure ? 'danger' : undefined}
                disabled={busy}
                onClick={() => setAsking(button)}
                key={button}
              >
                {button}
              </button>
            ))}
          </div>
        </Panel>
      )}
      <Dialog title={asked?.title ?? ''} open={asked !== undefined} onClose={() => setAsking(null)}>
        {asked?.form(report)}
      </Dialog>
    </>
  );
}
