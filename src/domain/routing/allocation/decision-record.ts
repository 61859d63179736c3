import {
  type Cell,
  type Column,
  columnIn,
  type StoredTable,
  storedTable,
  type Table,
} from './decision-columns.js';
import type { Alternative, Candidate, Decision, DecisionInputs } from './decision.js';
import {
  COLUMNS,
  type DecisionMarket,
  FIELDS,
  isAbsent,
  mapValues,
  NO_FIELD,
  pick,
  PASSED,
  type StoredGates,
  tablesOf,
} from './decision-market.js';
import type { Gate } from './gate.js';

/** Decision stored beside its market. Its tables have a row for each candidate, and only the cells that differ from the market's. */
type CompactRecord = Omit<Decision, 'alternatives' | 'inputs'> & {
  alternatives: {
    /** Rows of the candidates, best first. */
    order: number[];
    /** `names`: gate names of a row, or their index among the market's. */
    columns: StoredTable;
    gates: StoredGates;
    /** Cash, which is no candidate. */
    others: Alternative[];
  };
  inputs: Omit<DecisionInputs, 'candidates' | 'constants'> & { constants: null; candidates: StoredTable };
};

/** Record in the database: compact, or complete as 1.0.0 stored it. */
export type StoredRecord = CompactRecord | Decision;

/**
 * Prediction of a gate's columns: the market's, or derived from other columns of the decision. Only differences from it are stored, so it must never
 * change: stored records would be misread.
 */
function baseOf(
  gate: string,
  market: DecisionMarket,
  amount: bigint,
  columns: { delta: Column; held: Column; valueOf: (gate: string) => Column },
): Table {
  const { sizes } = market.record;
  const after = (row: number): bigint => BigInt(columns.held(row) as string) + amount;
  const columnBySize = (value: (size: bigint, row: number) => number): Column => {
    const values = sizes.map((size, row) => (size === null ? null : value(BigInt(size), row)));
    return (row) => values[row];
  };
  const value: Record<string, () => Column> = {
    delta: () => columns.delta,
    return: () => columns.valueOf('gain'),
    promise: () => columns.valueOf('net_gain'),
    capacity: () => (row) => Number(after(row)) / 1e6,
    size: () => columnBySize((size) => Number(size) / Number(amount)),
    share: () => columnBySize((size, row) => Number(after(row)) / Number(size + amount)),
  };
  const derived = value[gate];
  return market.gates[gate] ?? (derived ? { ...PASSED, value: derived() } : PASSED);
}

/** Prediction of the candidates' columns, likewise. */
const candidateBase = (market: DecisionMarket, inflow: Column): Table => ({
  ...market.candidates,
  inflowOfOthers: inflow,
});

/** Removes what the market has. Nothing is lost: `expandRecord` restores the decision as it was made. */
export function compactRecord(decision: Decision, market: DecisionMarket): CompactRecord {
  const { rows, candidates, alternatives, gates, names, order, others } = tablesOf(decision);
  const { inputs } = decision;
  const nameCells: Cell[] = names.map((text) => {
    const index = market.record.names.indexOf(text);
    return index === -1 ? text : index;
  });
  const columns = {
    delta: alternatives.delta,
    held: candidates['held']!,
    valueOf: (gate: string): Column => gates[gate]?.['value'] ?? (() => null),
  };
  const stored = mapValues(gates, (table, gate) =>
    storedTable(table, rows, baseOf(gate, market, BigInt(inputs.amount), columns)),
  );
  return {
    ...decision,
    alternatives: {
      order,
      columns: storedTable({ ...alternatives, names: (row) => nameCells[row] }, rows, market.alternatives),
      gates: pick(stored, (gate) => Object.keys(stored[gate]!).length > 0),
      others,
    },
    inputs: {
      ...inputs,
      constants: null,
      candidates: storedTable(candidates, rows, candidateBase(market, candidates['inflow']!)),
    },
  };
}

/** The complete decision, as it was made. @param market null: the record is complete @throws RangeError when the record belongs to another market */
export function expandRecord(stored: StoredRecord, market: DecisionMarket | null): Decision {
  if (market === null) return stored as Decision;
  const compact = stored as CompactRecord;
  const { alternatives, inputs } = compact;
  const { vaultIds, constants, names } = market.record;
  const field = (name: string, base?: Column): Column => columnIn(inputs.candidates, name, base);
  const base = candidateBase(market, field('inflow', NO_FIELD['inflow']));
  const fields = FIELDS.slice(1).map((name) => [name, field(name, base[name])] as const);
  const candidates = vaultIds.map((vaultId, row) => {
    const candidate: Record<string, Cell> = { vaultId };
    for (const [name, column] of fields) {
      const cell = column(row);
      if (!isAbsent(cell)) candidate[name] = cell;
    }
    return candidate as unknown as Candidate;
  });
  const column = (name: string): Column => columnIn(alternatives.columns, name, market.alternatives[name]);
  const table = Object.fromEntries(COLUMNS.map((name) => [name, column(name)])) as Record<
    (typeof COLUMNS)[number],
    Column
  >;
  const namesByRow = column('names');
  const gateIn = gatesIn(alternatives.gates, market, BigInt(inputs.amount), {
    delta: table.delta,
    held: (row) => candidates[row]!.held,
  });
  const ranked = alternatives.order.map((row) => {
    const cell = namesByRow(row) as string | number;
    const gateNames = typeof cell === 'number' ? names[cell]! : cell;
    return {
      vaultId: vaultIds[row],
      action: table.action(row),
      apy: table.apy(row),
      expectedApy: table.expectedApy(row),
      riskAdjustedApy: table.riskAdjustedApy(row),
      rate: table.rate(row),
      delta: table.delta(row),
      gates: gateNames.split(' ').map((gate) => gateIn(gate, row)),
      chosen: table.chosen(row),
    } as Alternative;
  });
  // Keeps the order of the fields.
  return {
    ...compact,
    alternatives: [...ranked, ...alternatives.others],
    inputs: { ...inputs, constants, candidates },
  };
}

/** Looks up a gate by its name and row. */
function gatesIn(
  stored: StoredGates,
  market: DecisionMarket,
  amount: bigint,
  columns: { delta: Column; held: Column },
): (gate: string, row: number) => Gate {
  const tables = new Map<
    string,
    { values: Column; thresholds: Column; passes: Column; rules: Column | null }
  >();
  const tableOf = (gate: string) => {
    const cached = tables.get(gate);
    if (cached) return cached;
    const columnsOfGate = stored[gate] ?? {};
    const base = baseOf(gate, market, amount, { ...columns, valueOf: (other) => tableOf(other).values });
    const table = {
      values: columnIn(columnsOfGate, 'value', base['value']),
      thresholds: columnIn(columnsOfGate, 'threshold', base['threshold']),
      passes: columnIn(columnsOfGate, 'passed', base['passed']),
      rules: 'rules' in columnsOfGate ? columnIn(columnsOfGate, 'rules') : null,
    };
    tables.set(gate, table);
    return table;
  };
  return (gate, row) => {
    const { values, thresholds, passes, rules } = tableOf(gate);
    const shown = { gate, value: values(row), threshold: thresholds(row), passed: passes(row) };
    return (rules ? { ...shown, rules: rules(row) } : shown) as Gate;
  };
}
