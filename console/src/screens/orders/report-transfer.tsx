import { useState } from 'preact/hooks';
import { type OnceHeader, useOnce } from '../../api/once.js';
import { Money } from '../../format/figures.js';
import { useAction } from '../../ui/action.js';
import { Refusal } from '../../ui/state.js';

interface ReportTransferProps<T> {
  asset: string;
  /** Which amount is reported. */
  amountName: string;
  /** Amount of the books. */
  expected: number;
  /** What a difference from it becomes. */
  difference: string;
  /** Whether the report may name the chain of the transfer. */
  hasChain?: boolean;
  send: (header: OnceHeader, body: TransferReport) => Promise<T>;
  onReported: (record: T) => void;
}

interface TransferReport {
  tx_hash: string;
  amount: number;
  chain?: string;
}

/** Reports a transfer: its hash, and its amount on the chain. */
export function ReportTransfer<T>(props: ReportTransferProps<T>) {
  const { asset, amountName, expected, difference, hasChain = false, send, onReported } = props;
  const [hash, setHash] = useState('');
  const [amount, setAmount] = useState('');
  const [chain, setChain] = useState('');
  const { busy, error, run } = useAction();
  const once = useOnce();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const body = { tx_hash: hash, amount: Number(amount), ...(chain && { chain }) };
    const reported = await run(() => once(body, (header) => send(header, body)));
    if (reported) onReported(reported);
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
          {amountName}, in {asset}
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
      {hasChain && (
        <label class="field">
          <span>Chain (optional); without it, an asset on several chains stays unchecked</span>
          <input
            name="chain"
            placeholder="ethereum"
            spellcheck={false}
            value={chain}
            onInput={(event) => setChain(event.currentTarget.value.trim())}
          />
        </label>
      )}
      <p class="note">
        Its value in the books is <Money amount={expected} unit={asset} /> now. {difference}
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
