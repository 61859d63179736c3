import type { Decision } from '../../api/decisions.js';
import { vaultName } from '../../api/vaults.js';
import { Money, Rate } from '../../format/figures.js';
import { Badge } from '../../ui/badge.js';
import { Panel } from '../../ui/panel.js';
import { DataTable } from '../../ui/table.js';
import { VaultName } from '../../ui/vault-name.js';
import { KindBadge } from './decision-words.js';

const KINDS = ['vaults', 'tiers', 'venues'] as const;
/** Sums of floats may exceed a limit that they are at. */
const ROUNDING = 1e-9;

/** Parts of the partner's book in each vault, tier and venue, before and after, against the limits. */
export function ExposurePanel({ decision }: { decision: Pick<Decision, 'asset' | 'exposure'> }) {
  const { before, after, limits } = decision.exposure;
  const rows = KINDS.flatMap((kind) =>
    Object.entries(limits[kind]).map(([name, limit]) => ({
      kind,
      name,
      limit,
      before: before[kind][name] ?? 0,
      after: after[kind][name] ?? 0,
    })),
  );
  return (
    <Panel
      title="Exposure"
      remark={`Parts of your ${decision.asset}, cash included. A position that exceeds the limit of its vault by itself may be in it alone.`}
    >
      <DataTable
        label="Exposure"
        keyOf={({ kind, name }) => `${kind} ${name}`}
        rows={rows}
        columns={(column) => [
          {
            head: 'In',
            names: true,
            value: ({ kind, name }) => (kind === 'vaults' ? vaultName(name) : name),
            cell: ({ kind, name }) =>
              kind === 'vaults' ? <VaultName id={name} /> : kind === 'tiers' ? `All of ${name} risk` : name,
          },
          column.rate('Before', ({ before }) => before),
          column.rate('After', ({ after }) => after, { key: true }),
          {
            head: 'Limit',
            number: true,
            value: ({ limit }) => limit,
            cell: (row) => (
              <>
                {row.limit < 1 ? <Rate rate={row.limit} /> : 'none'}{' '}
                {row.after > row.limit + ROUNDING && <Badge tone="warn">above</Badge>}
              </>
            ),
          },
        ]}
      />
    </Panel>
  );
}

/** The partner's decisions that were made together, and what others' funds brought to vaults before them. */
export function PlanPanel({ decision }: { decision: Decision }) {
  const { asset, kind, from_vault_id, to_vault_id, inputs, plan, id } = decision;
  const { decisions, inflows_of_others: inflows } = plan;
  const subject = { id, kind, from_vault_id, to_vault_id, amount: inputs.amount };
  const rows = [subject, ...decisions].sort((a, b) => (a.id < b.id ? -1 : 1));
  return (
    <Panel
      title="The plan of its hour"
      remark="Your decisions on the asset that were made together: each was judged after the ones before it."
    >
      <DataTable
        label="Decisions of the plan"
        keyOf={(row) => row.id}
        rows={rows}
        marked={(row) => row.id === id}
        columns={(column) => [
          {
            head: 'Decision',
            names: true,
            cell: (row) => (
              <a href={`/console/decisions/${row.id}`} aria-label={`Decision ${row.id}`}>
                <KindBadge kind={row.kind} />
              </a>
            ),
          },
          column.vault('From', (row) => row.from_vault_id),
          column.vault('To', (row) => row.to_vault_id),
          column.money('Amount', ({ amount }) => amount, { unit: () => asset, key: true }),
        ]}
      />
      {inflows.length === 0 ? (
        <p class="note">No funds of others were moved before it in this hour.</p>
      ) : (
        <p class="note">
          Funds of others that were moved before it, rounded, and that its rates reckon with:{' '}
          {inflows.map(({ vault_id, amount }, at) => (
            <span key={vault_id}>
              {at > 0 && ', '}
              <VaultName id={vault_id} /> <Money amount={amount} unit={asset} signed />
            </span>
          ))}
          .
        </p>
      )}
    </Panel>
  );
}
