import { useState } from 'preact/hooks';
import { answered, api } from '../../api/client.js';
import type { Schemas } from '../../api/contract.js';
import { useOnce } from '../../api/once.js';
import type { User } from '../../api/users.js';
import { Money, moneyText } from '../../format/figures.js';
import { useAction } from '../../ui/action.js';
import { Refusal } from '../../ui/state.js';
import { PartsTable } from '../withdrawals/parts-table.js';

type Preview = Schemas['WithdrawalPreview'];

interface WithdrawFormProps {
  of: User;
  onWithdrawn: (withdrawal: Schemas['Withdrawal']) => void;
}

/** Withdraws an end-user's money, after a preview of what would pay it. */
export function WithdrawForm({ of: { id, balances, wallets }, onWithdrawn }: WithdrawFormProps) {
  const [asset, setAsset] = useState(balances[0]!.asset);
  const [amount, setAmount] = useState('');
  const [isWhole, setIsWhole] = useState(false);
  const [wallet, setWallet] = useState('');
  const [preview, setPreview] = useState<Preview | null>(null);
  const { busy, error, run } = useAction();
  const once = useOnce();
  const body = { asset, ...(!isWhole && { amount: Number(amount) }), ...(wallet && { wallet }) };
  /** A preview is of one request: after a change there is none. */
  const changing =
    <T,>(set: (value: T) => void) =>
    (value: T): void => {
      set(value);
      setPreview(null);
    };
  const ask = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const path = { id };
    const told = await run(() =>
      answered(api.POST('/users/{id}/withdrawals/preview', { params: { path }, body })),
    );
    setPreview(told?.data ?? null);
  };
  const withdraw = async (): Promise<void> => {
    const made = await run(() =>
      once(body, (header) =>
        answered(api.POST('/users/{id}/withdrawals', { params: { path: { id }, header }, body })),
      ),
    );
    if (made) onWithdrawn(made.data);
  };
  return (
    <form onSubmit={(event) => void ask(event)}>
      <label class="field">
        <span>Asset</span>
        <select
          value={asset}
          disabled={busy}
          onChange={(event) => changing(setAsset)(event.currentTarget.value as typeof asset)}
        >
          {balances.map(({ asset, available }) => (
            <option value={asset} key={asset}>
              {asset}
              {available !== null && `, ${moneyText(available)} available`}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>Amount, in {asset}</span>
        <input
          type="number"
          required={!isWhole}
          disabled={isWhole || busy}
          min="0.000001"
          step="any"
          value={amount}
          onInput={(event) => changing(setAmount)(event.currentTarget.value)}
        />
      </label>
      <label class="tick">
        <input
          type="checkbox"
          checked={isWhole}
          disabled={busy}
          onChange={(event) => changing(setIsWhole)(event.currentTarget.checked)}
        />
        <span>Everything, as it is worth when it is paid</span>
      </label>
      {wallets.length > 1 && (
        <label class="field">
          <span>Wallet that is paid</span>
          <select
            required
            value={wallet}
            disabled={busy}
            onChange={(event) => changing(setWallet)(event.currentTarget.value)}
          >
            <option value="">Choose a wallet</option>
            {wallets.map((option) => (
              <option value={option} key={option}>
                {option}
              </option>
            ))}
          </select>
        </label>
      )}
      <div role="status">{preview && <PreviewFacts preview={preview} />}</div>
      {preview && <PartsTable parts={preview.parts} asset={asset} />}
      {error && <Refusal error={error} />}
      <p class="dialog-actions">
        <button type="submit" disabled={busy}>
          Preview
        </button>
        {preview && (
          <button type="button" class="primary" disabled={busy} onClick={() => void withdraw()}>
            {busy ? 'Withdrawing' : 'Withdraw the amount'}
          </button>
        )}
      </p>
    </form>
  );
}

const PreviewFacts = ({ preview: { amount, available, asset, wallet } }: { preview: Preview }) => (
  <dl class="facts">
    <dt>Withdraws</dt>
    <dd>
      <Money amount={amount} unit={asset} /> of <Money amount={available} unit={asset} /> available
    </dd>
    <dt>Wallet</dt>
    <dd>{wallet === null ? 'none is known' : <code class="breaking">{wallet}</code>}</dd>
  </dl>
);
