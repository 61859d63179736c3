import { useState } from 'preact/hooks';
import { answered, api } from '../../api/client.js';
import type { Asset, Schemas } from '../../api/contract.js';
import { traits } from '../../api/session.js';
import { Money } from '../../format/figures.js';
import { useAction } from '../../ui/action.js';
import { Panel } from '../../ui/panel.js';
import { Refusal } from '../../ui/state.js';
import { VaultName, worded } from '../../ui/vault-name.js';
import { CandidateMatrix } from './candidate-matrix.js';
import { REASONS } from './decision-words.js';

type Preview = Schemas['DecisionPreview'];

/** A preview of a deposit: the decision it would get now; nothing is deposited. */
export function PreviewPanel() {
  const { assets } = traits();
  const [asset, setAsset] = useState(assets[0]!);
  const [amount, setAmount] = useState('1000');
  const [split, setSplit] = useState(false);
  const [previews, setPreviews] = useState<readonly Preview[]>([]);
  const { busy, error, run } = useAction();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const body = { asset: asset as Asset, amount: Number(amount), split };
    const told = await run(() => answered(api.POST('/positions/preview', { body })));
    setPreviews([told?.data ?? []].flat());
  };
  return (
    <>
      <Panel
        title="Preview"
        remark="Where a deposit would go now. Nothing is deposited, and nothing is stored."
      >
        <form onSubmit={(event) => void submit(event)}>
          <label class="field">
            <span>Asset of the deposit</span>
            <select value={asset} onChange={(event) => setAsset(event.currentTarget.value)}>
              {assets.map((option) => (
                <option value={option} key={option}>
                  {option}
                </option>
              ))}
            </select>
          </label>
          <label class="field">
            <span>Amount</span>
            <input
              type="number"
              required
              min="0.000001"
              step="any"
              value={amount}
              onInput={(event) => setAmount(event.currentTarget.value)}
            />
          </label>
          <label class="tick">
            <input
              type="checkbox"
              checked={split}
              onChange={(event) => setSplit(event.currentTarget.checked)}
            />
            <span>Split it into up to eight positions</span>
          </label>
          {error && <Refusal error={error} />}
          <div class="button-row">
            <button type="submit" disabled={busy}>
              Ask
            </button>
          </div>
        </form>
        <div role="status">
          {previews.map((preview, index) => (
            <dl class="facts" key={index}>
              {previews.length > 1 && (
                <>
                  <dt>Part {index + 1}</dt>
                  <dd>
                    <Money amount={preview.inputs.amount} unit={preview.asset} />
                  </dd>
                </>
              )}
              <dt>Goes to</dt>
              <dd>
                <VaultName id={preview.to_vault_id} plain />
              </dd>
              <dt>Because</dt>
              <dd>{worded(preview.because ?? REASONS[preview.reason])}</dd>
            </dl>
          ))}
        </div>
      </Panel>
      {previews.length === 1 && <CandidateMatrix decision={previews[0]!} />}
    </>
  );
}
