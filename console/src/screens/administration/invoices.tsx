import { useState } from 'preact/hooks';
import { answered, api, asked } from '../../api/client.js';
import { listPath } from '../../api/download.js';
import { useOnce } from '../../api/once.js';
import { useListing } from '../../api/resource.js';
import { useAction } from '../../ui/action.js';
import { Dialog } from '../../ui/dialog.js';
import { Choice, Filters, useFilters } from '../../ui/filters.js';
import { Listed } from '../../ui/more.js';
import { Panel } from '../../ui/panel.js';
import { Empty, Refusal } from '../../ui/state.js';
import { type Invoice, InvoicesTable } from '../statements/invoices-table.js';
import { OfPartner } from './of-partner.js';

/** Invoices of each partner, and the form that ends an open one. */
export const Invoices = () => (
  <OfPartner what="an invoice is of a partner">{(id) => <InvoicesOf partner={id} key={id} />}</OfPartner>
);

const STATUSES = ['open', 'paid', 'void'] as const;

function InvoicesOf({ partner }: { partner: string }) {
  const { query } = useFilters();
  const status = STATUSES.find((name) => name === query['status']);
  const list = useListing(`invoices ${partner} ${status}`, (cursor, signal) =>
    answered(
      api.GET('/partners/{id}/invoices', {
        params: { path: { id: partner }, query: asked({ status, cursor }) },
        signal,
      }),
    ),
  );
  const [open, setOpen] = useState<Invoice | null>(null);
  const [said, setSaid] = useState('');
  return (
    <>
      <Filters>
        <Choice
          name="Status"
          field="status"
          all="Every status"
          options={STATUSES.map((name) => [name, name] as const)}
        />
      </Filters>
      <p role="status" class={said ? 'said good' : 'said'}>
        {said}
      </p>
      <Panel title="Invoices" remark="Fees of closed months, the newest first.">
        <Listed of={list} empty={<Empty title="No invoice matches." />}>
          {(rows) => (
            <InvoicesTable
              rows={rows}
              csv={listPath(`/partners/${partner}/invoices`, { status })}
              onSettle={setOpen}
            />
          )}
        </Listed>
      </Panel>
      <Dialog title="Settle an invoice" open={open !== null} onClose={() => setOpen(null)}>
        {open && (
          <SettleInvoice
            invoice={open}
            onSettled={(invoice) => {
              setOpen(null);
              setSaid(`The invoice of ${invoice.period} in ${invoice.asset} is ${invoice.status}.`);
              list.reload();
            }}
          />
        )}
      </Dialog>
    </>
  );
}

const ENDS = {
  paid: "The fee was received, and the partner's part paid out.",
  void: 'The fee is taken back; nothing is owed.',
} as const;

function SettleInvoice({
  invoice: { id, partner_id, period, asset, fee, partner_revenue },
  onSettled,
}: {
  invoice: Invoice;
  onSettled: (invoice: Invoice) => void;
}) {
  const [status, setStatus] = useState<keyof typeof ENDS>('paid');
  const [reference, setReference] = useState('');
  const [at, setAt] = useState('');
  const { busy, error, run } = useAction();
  const once = useOnce();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const body = { status, reference: reference.trim(), ...(at && { at: `${at}:00Z` }) };
    const path = { id: partner_id, invoiceId: id };
    const settled = await run(() =>
      once(body, (header) =>
        answered(api.POST('/partners/{id}/invoices/{invoiceId}/settle', { params: { path, header }, body })),
      ),
    );
    if (settled) onSettled(settled.data);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <p class="note">
        {period}: a fee of {fee} {asset}, {partner_revenue} of it the partner's.
      </p>
      <fieldset>
        <legend>End; it cannot be undone</legend>
        {Object.entries(ENDS).map(([value, text]) => (
          <label class="tick" key={value}>
            <input
              type="radio"
              name="status"
              required
              value={value}
              checked={status === value}
              onChange={() => setStatus(value as keyof typeof ENDS)}
            />
            <span>
              {value}: {text}
            </span>
          </label>
        ))}
      </fieldset>
      <label class="field">
        <span>Reference</span>
        <input
          required
          maxLength={200}
          value={reference}
          onInput={(event) => setReference(event.currentTarget.value)}
        />
      </label>
      <label class="field">
        <span>Value date, UTC; empty: now</span>
        <input type="datetime-local" value={at} onInput={(event) => setAt(event.currentTarget.value)} />
      </label>
      {error && <Refusal error={error} />}
      <p class="dialog-actions">
        <button type="submit" class={status === 'void' ? 'danger' : 'primary'} disabled={busy}>
          {busy ? 'Settling' : 'Settle'}
        </button>
      </p>
    </form>
  );
}
