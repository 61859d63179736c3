import { useState } from 'preact/hooks';
import { answered, live } from '../../api/client.js';
import { type OnceHeader, useOnce } from '../../api/once.js';
import { Money } from '../../format/figures.js';
import { useAction } from '../../ui/action.js';
import { Refusal } from '../../ui/state.js';
import type { Move } from './move-words.js';

export type TransferStep = 'redeemed' | 'settled';

interface ReportTransferProps {
  move: Move;
  step: TransferStep;
  onReported: (move: Move) => void;
}

type Body = { tx_hash: string; amount: number };

const SEND = {
  redeemed: (id: string, header: OnceHeader, body: Body) =>
    answered(live.POST('/moves/{id}/redeemed', { params: { path: { id }, header }, body })),
  settled: (id: string, header: OnceHeader, body: Body) =>
    answered(live.POST('/moves/{id}/settled', { params: { path: { id }, header }, body })),
};

const AMOUNTS: Record<TransferStep, string> = {
  redeemed: 'Amount that the vault paid out for this move',
  settled: 'Amount of this move that arrived in the new vault',
};

/** Reports a step of a move that was a transfer: its hash, and its amount on the chain. */
export function ReportTransfer({
  move: { id, amount: expected, asset },
  step,
  onReported,
}: ReportTransferProps) {
  const [hash, setHash] = useState('');
  const [amount, setAmount] = useState('');
  const { busy, error, run } = useAction();
  const once = useOnce();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const body = { tx_hash: hash, amount: Number(amount) };
    const reported = await run(() => once([id, step, body], (header) => SEND[step](id, header, body)));
    if (reported) onReported([reported.data].flat()[0]!);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <label class="field">
        <span>Hash of the transfer, 0x and 64 hexadecimal digits</span>
        <input
          name="tx_hash"
          required
          pattern="0x[0-9a-fA-F]{64}"
          title="0x and 64 hexadecimal digits"
          placeholder="0x…"
          spellcheck={false}
          autocomplete="off"
          value={hash}
          onInput={(event) => setHash(event.currentTarget.value.trim())}
        />
      </label>
      <label class="field">
        <span>
          {AMOUNTS[step]}, in {asset}
        </span>
        <input
          type="number"
          name="amount"
          required
          min={0.000001}
          step="any"
          value={amount}
          onInput={(event) => setAmount(event.currentTarget.value)}
        />
      </label>
      <p class="note">
        Its value in the books is <Money amount={expected} unit={asset} /> now. The difference is the move’s
        cost, or its gain.
      </p>
      {error && <Refusal error={error} />}
      <p class="dialog-actions">
        <button type="submit" class="primary" disabled={busy}>
          {busy ? 'Reporting' : 'Report'}
        </button>
      </p>
    </form>
  );
}
