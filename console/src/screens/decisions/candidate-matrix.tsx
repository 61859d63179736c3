import type { ComponentChildren } from 'preact';
import type { Alternative, Decision, Gate } from '../../api/decisions.js';
import { saveFile } from '../../api/download.js';
import { vaultName } from '../../api/vaults.js';
import { csvText, type Value } from '../../format/csv.js';
import { counted, Money, Nothing, Rate } from '../../format/figures.js';
import { Badge } from '../../ui/badge.js';
import { Panel } from '../../ui/panel.js';
import { ScrollTable } from '../../ui/table.js';
import { VaultName } from '../../ui/vault-name.js';
import { gateNames, GATES, shown } from './decision-words.js';

const ACTIONS: Record<Alternative['action'], string> = { deposit: 'deposit', move: 'move', hold: 'stay' };

/** The common fields of a decision and of a preview. */
type ComparedDecision = Pick<Decision, 'alternatives' | 'inputs' | 'expected_uplift'>;

/** All candidates side by side: rates, gain, cost and NPV of each, and each gate with its threshold. */
export function CandidateMatrix({ decision }: { decision: ComparedDecision }) {
  const alternatives = decision.alternatives.toSorted(
    (a, b) =>
      Number(b.chosen) - Number(a.chosen) ||
      Number(b.action === 'hold') - Number(a.action === 'hold') ||
      (gainOf(decision, b) ?? b.rate ?? -Infinity) - (gainOf(decision, a) ?? a.rate ?? -Infinity),
  );
  const gates = gateNames.filter((gate) => alternatives.some((alternative) => gateOf(alternative, gate)));
  const failed = alternatives.filter(({ gates: all }) => all.some(({ passed }) => !passed)).length;
  return (
    <Panel
      class="whole"
      title="What else there was"
      remark={`${counted(alternatives.length, 'candidate')}: the chosen one, the present vault, then by gain; ${failed} did not pass a gate. A gate that was not evaluated is empty.`}
    >
      <ScrollTable label="Candidates and gates" dense>
        <thead>
          <tr>
            <th scope="col" class="matrix-name">
              Candidate
            </th>
            <th scope="col" class="number wide-only">
              Bound
            </th>
            {alternatives.map((alternative) => (
              <th
                scope="col"
                class={`number candidate${alternative.chosen ? ' chosen' : ''}`}
                key={alternative.vault_id}
              >
                <VaultName id={alternative.vault_id} />
                <span class="candidate-what">
                  {ACTIONS[alternative.action]}
                  {alternative.chosen && <Badge tone="accent">chosen</Badge>}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Row name="APY" title="Last observed" of={alternatives} cell={({ apy }) => <Rate rate={apy} />} />
          <Row
            name="Expected APY"
            title="Over the horizon"
            of={alternatives}
            cell={({ expected_apy }) => <Rate rate={expected_apy} />}
          />
          <Row
            name="Rate"
            title="Expected and risk-adjusted, less the dilution by the amount itself: the rate that candidates are compared by"
            of={alternatives}
            cell={({ rate }) => (
              <strong>
                <Rate rate={rate} />
              </strong>
            )}
          />
          <Row
            name="Gain"
            title="Over the horizon"
            of={alternatives}
            cell={(alternative) => <Money amount={gainOf(decision, alternative)} />}
          />
          <Row
            name="Cost"
            title="To go there"
            of={alternatives}
            cell={(alternative) => <Money amount={costOf(decision, alternative)} />}
          />
          <Row
            name="NPV"
            title="Gain less cost"
            of={alternatives}
            cell={(alternative) => <Money amount={netOf(decision, alternative)} signed />}
          />
        </tbody>
        <tbody class="gates">
          <tr>
            <th scope="rowgroup" colSpan={2 + alternatives.length}>
              Gates
            </th>
          </tr>
          {gates.map((gate) => (
            <GateRow gate={gate} of={alternatives} key={gate} />
          ))}
        </tbody>
      </ScrollTable>
      <dl class="on-paper">
        {gates.map((gate) => (
          <div key={gate}>
            <dt>{GATES[gate].name}</dt>
            <dd>{GATES[gate].asks}</dd>
          </div>
        ))}
      </dl>
      <p class="list-end">
        <button
          type="button"
          class="small csv"
          onClick={() =>
            saveFile(csvText(linesOf(decision, alternatives, gates)), 'candidates-and-gates.csv')
          }
        >
          CSV<span class="heard"> of Candidates and gates</span>
        </button>
      </p>
    </Panel>
  );
}

interface RowProps {
  name: string;
  title: string;
  of: readonly Alternative[];
  cell: (alternative: Alternative) => ComponentChildren;
}

const Row = ({ name, title, of, cell }: RowProps) => (
  <tr>
    <th scope="row" title={title}>
      {name}
    </th>
    <td class="wide-only" />
    {of.map((alternative) => (
      <td class={`number${alternative.chosen ? ' chosen' : ''}`} key={alternative.vault_id}>
        {cell(alternative)}
      </td>
    ))}
  </tr>
);

function GateRow({ gate, of }: { gate: Gate['gate']; of: readonly Alternative[] }) {
  const { name, asks, bound, show } = GATES[gate];
  const gates = of.map((alternative) => gateOf(alternative, gate));
  const bounds = [...new Set(gates.flatMap((shownGate) => (shownGate ? [shownGate.threshold] : [])))];
  const common = bounds.length === 1 ? bounds[0] : undefined;
  const words =
    common === undefined ? (
      'its own'
    ) : common === null ? (
      'none'
    ) : (
      <>
        {bound === 'is' ? '' : `${bound} `}
        {show(common)}
      </>
    );
  return (
    <tr>
      <th scope="row" title={asks}>
        {name}
        <span class="below narrow-only">{words}</span>
      </th>
      <td class="number bound wide-only">{words}</td>
      {of.map(({ vault_id, chosen }, at) => {
        const shownGate = gates[at];
        return (
          <td
            class={`number${chosen ? ' chosen' : ''}${shownGate && !shownGate.passed ? ' failed' : ''}`}
            key={vault_id}
          >
            {shownGate ? (
              <span class="gate">
                {shown(shownGate.value, show)}
                {common === undefined && shownGate.threshold !== null && (
                  <span class="unit"> of {shown(shownGate.threshold, show)}</span>
                )}
                <span
                  class={shownGate.passed ? 'pass' : 'fail'}
                  role="img"
                  aria-label={shownGate.passed ? 'passed' : 'failed'}
                >
                  {shownGate.passed ? '✓' : '✕'}
                </span>
              </span>
            ) : (
              <Nothing why="not asked" />
            )}
          </td>
        );
      })}
    </tr>
  );
}

/** The matrix with a candidate a line, and three columns a gate. */
const linesOf = (
  decision: ComparedDecision,
  of: readonly Alternative[],
  gates: readonly Gate['gate'][],
): Value[][] => [
  [
    ...['vault_id', 'vault', 'action', 'chosen', 'apy', 'expected_apy', 'rate', 'gain', 'cost', 'npv'],
    ...gates.flatMap((gate) => [gate, `${gate}_threshold`, `${gate}_passed`]),
  ],
  ...of.map((alternative) => [
    ...[
      alternative.vault_id,
      vaultName(alternative.vault_id),
      alternative.action,
      String(alternative.chosen),
    ],
    ...[alternative.apy, alternative.expected_apy, alternative.rate],
    ...[gainOf(decision, alternative), costOf(decision, alternative), netOf(decision, alternative)],
    ...gates.flatMap((gate) => {
      const shownGate = gateOf(alternative, gate);
      return [shownGate?.value, shownGate?.threshold, shownGate && String(shownGate.passed)];
    }),
  ]),
];

const gateOf = ({ gates }: Alternative, name: Gate['gate']): Gate | undefined =>
  gates.find(({ gate }) => gate === name);

const gainOf = ({ expected_uplift }: ComparedDecision, alternative: Alternative): number | null =>
  gateOf(alternative, 'gain')?.value ?? (alternative.chosen ? expected_uplift.amount : null);

const costOf = ({ inputs }: ComparedDecision, alternative: Alternative): number | null =>
  inputs.candidates.find(({ vault_id }) => vault_id === alternative.vault_id)?.cost ?? null;

const netOf = ({ expected_uplift }: ComparedDecision, alternative: Alternative): number | null =>
  gateOf(alternative, 'net_gain')?.value ?? (alternative.chosen ? expected_uplift.npv : null);
