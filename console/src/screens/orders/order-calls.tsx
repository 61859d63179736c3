import { useState } from 'preact/hooks';
import type { LiveSchemas } from '../../api/contract.js';
import { CopyButton } from '../../ui/copy-button.js';
import { useFilters } from '../../ui/filters.js';
import { Panel } from '../../ui/panel.js';
import { Empty } from '../../ui/state.js';
import { DataTable } from '../../ui/table.js';
import { explorerOf } from '../administration/transaction-hash.js';
import type { Move } from './move-words.js';

type Call = Move['calls'][number] | LiveSchemas['WithdrawalCall'];

const ADDRESS = '0x[0-9a-fA-F]{40}';
const STEPS: Record<Call['step'], string> = {
  withdraw: 'Withdraw',
  approve: 'Approve',
  deposit: 'Deposit',
  transfer: 'Transfer',
};

interface OrderCallsProps {
  calls: readonly Call[];
  /** Which calls are left out. */
  exception?: string;
  /** Account that holds the funds; undefined: not named yet. */
  account: string | undefined;
}

/** The calls of contracts that are left of a move or a payment, once the account is known that sends them. */
export function OrderCalls({ calls, exception, account }: OrderCallsProps) {
  const { set } = useFilters();
  const [text, setText] = useState(account ?? '');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    set({ account: text.trim() });
  };
  return (
    <Panel
      title="Calls"
      remark={
        <>
          What the account that holds the funds still has to send, in this order. The console sends nothing.{' '}
          {exception}
        </>
      }
    >
      <form onSubmit={submit}>
        <label class="field">
          <span>Account that holds the funds</span>
          <input
            required
            pattern={ADDRESS}
            placeholder="0x…"
            title="0x and 40 hexadecimal digits"
            size={44}
            spellcheck={false}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <button type="submit">Show the calls</button>
      </form>
      {account !== undefined && <Calls of={calls} />}
    </Panel>
  );
}

function Calls({ of: calls }: { of: readonly Call[] }) {
  if (calls.length === 0)
    return (
      <Empty title="No call is known for these vaults.">
        <p>Their contracts are not in the catalogue, or they pay out by a queue of their own.</p>
      </Empty>
    );
  return (
    <DataTable
      label="Calls of contracts"
      rows={calls}
      keyOf={({ step, to }) => `${step} ${to}`}
      columns={(column) => [
        column.text('Step', ({ step }) => STEPS[step], { names: true }),
        {
          head: 'In token units',
          number: true,
          key: true,
          value: ({ units }) => units,
          cell: ({ units, step }) => <Copied text={units} name={`units of ${step}`} />,
        },
        column.text('Chain', ({ chain }) => chain),
        {
          head: 'To',
          value: ({ to }) => to,
          cell: ({ to, chain, step }) => (
            <Copied
              text={to}
              name={`contract of ${step}`}
              href={explorerOf(chain) && `${explorerOf(chain)}/address/${to}`}
            />
          ),
        },
        {
          head: 'Calldata',
          value: ({ data }) => data,
          cell: ({ data, step }) => <Copied text={data} name={`calldata of ${step}`} />,
        },
      ]}
    />
  );
}

const SHOWN = 22;

/** A text that is shown short, and copied whole. */
function Copied({ text, name, href }: { text: string; name: string; href?: string | undefined }) {
  const short = (
    <code title={text}>{text.length > SHOWN ? `${text.slice(0, 10)}…${text.slice(-6)}` : text}</code>
  );
  return (
    <>
      {href ? (
        <a href={href} rel="noreferrer" target="_blank">
          {short}
        </a>
      ) : (
        short
      )}{' '}
      <CopyButton text={text} name={name} />
    </>
  );
}
