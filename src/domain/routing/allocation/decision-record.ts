import { createHash } from 'node:crypto';
import {
  type Cell,
  type Column,
  columnIn,
  type StoredTable,
  storedTable,
  type Table,
} from './decision-columns.js';
import type { Alternative, Candidate, Decision, DecisionInputs } from './decision.js';
import type { Gate, GateName } from './gate.js';
import { sizeOf } from './gates.js';

type StoredGates = Readonly<Record<string, StoredTable>>;

/**
 * What the decisions of an hour on an asset have in common: the constants, and of each candidate what does not depend on the holding. Plain JSON,
 * stored as a text whose digest is its id.
 */
interface MarketRecord {
  /** Id of the first decision that refers to it, by which two of the same content are two. */
  decisionId: string;
  snapshotHour: string;
  constants: DecisionInputs['constants'];
  vaultIds: string[];
  /** Sizes of the candidates, micro-units; null: unknown. */
  sizes: (string | null)[];
  /** Names of an alternative's gates in their order, in the orders that the first decision has. */
  names: string[];
  candidates: StoredTable;
  alternatives: StoredTable;
  gates: StoredGates;
}

/** The same, as it is used. */
export interface DecisionMarket {
  id: string;
  record: MarketRecord;
  candidates: Table;
  alternatives: Table;
  gates: Readonly<Record<string, Table>>;
}

/** Decision as it is stored beside its market: tables have what differs from the market's, a row for each candidate. */
type OwnRecord = Omit<Decision, 'alternatives' | 'inputs'> & {
  alternatives: {
    /** Rows of the candidates, the best first. */
    order: number[];
    /** `names`: names of a row's gates, or their place among the market's. */
    columns: StoredTable;
    gates: StoredGates;
    /** Cash, which is no candidate. */
    others: Alternative[];
  };
  inputs: Omit<DecisionInputs, 'candidates' | 'constants'> & { constants: null; candidates: StoredTable };
};

/** Record in the database: beside its market, or the whole, as 1.0.0 stored it. */
export type StoredRecord = OwnRecord | Decision;

/** A field that a candidate does not have; no field of a candidate is an empty object. */
const ABSENT: object = {};
const isAbsent = (cell: Cell): boolean =>
  cell === ABSENT || (typeof cell === 'object' && cell !== null && Object.keys(cell).length === 0);

/** Fields of a candidate in their order, and whether they are the same for all holdings of the hour, but for what earlier decisions of it move. */
const CANDIDATE_FIELDS = {
  vaultId: false,
  active: true,
  lendingBaseline: true,
  riskTier: true,
  venue: true,
  apy: true,
  expectedApy: true,
  riskAdjustedApy: true,
  currentRiskAdjustedApy: true,
  promisedApy: true,
  promisedShortApy: true,
  lastingApy: true,
  steadyApy: true,
  promisedLastingApy: true,
  promisedShortLastingApy: true,
  tvl: true,
  assets: true,
  liquidity: true,
  highLiquidity: true,
  inflow: false,
  inflowOfOthers: false,
  dilution: true,
  indexChange: true,
  assetsChange: true,
  quarantineHours: true,
  capacity: true,
  held: true,
  own: false,
  ours: true,
  cost: false,
  baseFee: true,
  exitDelayHours: true,
  hoursSinceObserved: true,
  silentEverywhere: true,
  reading: true,
  hoursSinceLeft: false,
  price: true,
} as const satisfies Record<keyof Candidate, boolean>;
const FIELDS = Object.keys(CANDIDATE_FIELDS) as (keyof Candidate)[];

/** Columns of alternatives beside their gates; the first three are the market's. */
const COLUMNS = ['apy', 'expectedApy', 'riskAdjustedApy', 'action', 'rate', 'delta', 'chosen'] as const;
const MARKET_COLUMNS = COLUMNS.slice(0, 3);

/** Gates whose values do not depend on the holding, but for what earlier decisions of the hour move. */
const MARKET_GATES: ReadonlySet<string> = new Set<GateName>([
  ...(['active', 'fresh', 'index', 'outflow', 'liquidity', 'quarantine'] as const),
  ...(['reading', 'assets', 'history', 'step', 'divergence'] as const),
]);

const NO_FIELD: Table = Object.fromEntries(FIELDS.map((name) => [name, () => ABSENT]));
const PASSED: Table = { passed: () => true };

const mapped = <T, U>(
  of: Readonly<Record<string, T>>,
  to: (value: T, name: string) => U,
): Record<string, U> =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, to(value, name)]));
const only = <T>(of: Readonly<Record<string, T>>, is: (name: string) => boolean): Record<string, T> =>
  Object.fromEntries(Object.entries(of).filter(([name]) => is(name)));

/** A decision as tables with a row for each candidate. */
function tablesOf({ inputs: { candidates }, alternatives }: Decision) {
  const rows = candidates.length;
  const places = new Map(candidates.map(({ vaultId }, row) => [vaultId, row]));
  const byRow: Alternative[] = [];
  const byGate: Record<string, Gate[]> = {};
  const [order, others]: [number[], Alternative[]] = [[], []];
  for (const alternative of alternatives) {
    const row = places.get(alternative.vaultId);
    if (row === undefined) {
      others.push(alternative);
      continue;
    }
    order.push(row);
    byRow[row] = alternative;
    for (const gate of alternative.gates) (byGate[gate.gate] ??= [])[row] = gate;
  }
  const gates = mapped(byGate, (ofRow): Record<string, Column> => ({
    value: (row) => ofRow[row]?.value,
    threshold: (row) => ofRow[row]?.threshold,
    passed: (row) => ofRow[row]?.passed,
    ...(ofRow.some(({ rules }) => rules) && { rules: (row) => ofRow[row]?.rules }),
  }));
  return {
    ...{ rows, order, others, gates },
    candidates: Object.fromEntries(
      FIELDS.slice(1).map((name) => [
        name,
        (row: number) => candidates[row]![name] ?? absentOr(candidates[row]![name]),
      ]),
    ) as Record<string, Column>,
    alternatives: Object.fromEntries(
      COLUMNS.map((name) => [name, (row: number) => byRow[row]?.[name]]),
    ) as Record<(typeof COLUMNS)[number], Column>,
    names: namesOf(byRow),
  };
}

const absentOr = (value: null | undefined): object | null => (value === null ? null : ABSENT);

/** Names of each row's gates: most rows have the same ones. */
function namesOf(alternatives: readonly Alternative[]): string[] {
  let [last, text]: [readonly Gate[], string] = [[], ''];
  return alternatives.map(({ gates }) => {
    const isSame =
      gates.length === last.length && gates.every(({ gate }, place) => gate === last[place]!.gate);
    if (!isSame) text = gates.map(({ gate }) => gate).join(' ');
    last = gates;
    return text;
  });
}

/** Market of a decision, to which decisions of the same hour on other holdings may refer, and its text. */
export function marketOf(decision: Decision, decisionId: string): { text: string; market: DecisionMarket } {
  const { rows, candidates, alternatives, gates, names } = tablesOf(decision);
  const { constants, candidates: all } = decision.inputs;
  const record: MarketRecord = {
    decisionId,
    snapshotHour: decision.snapshotHour,
    constants,
    vaultIds: all.map(({ vaultId }) => vaultId),
    sizes: all.map((one) => sizeOf(one)?.toString() ?? null),
    names: [...new Set(names)],
    candidates: storedTable(
      only(candidates, (name) => CANDIDATE_FIELDS[name as keyof Candidate]),
      rows,
      NO_FIELD,
    ),
    alternatives: storedTable(
      only(alternatives, (name) => (MARKET_COLUMNS as readonly string[]).includes(name)),
      rows,
    ),
    gates: mapped(
      only(gates, (name) => MARKET_GATES.has(name)),
      (table) => storedTable(table, rows, PASSED),
    ),
  };
  const text = JSON.stringify(record);
  return { text, market: marketIn(marketIdOf(text), text) };
}

/** Id of a market's record: changed, it is another one. */
export const marketIdOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** @param text of its record, as stored */
export function marketIn(id: string, text: string): DecisionMarket {
  const record = JSON.parse(text) as MarketRecord;
  const table = (stored: StoredTable, base: Table): Table => ({
    ...base,
    ...mapped(stored, (_, name) => columnIn(stored, name, base[name])),
  });
  return {
    ...{ id, record },
    candidates: table(record.candidates, NO_FIELD),
    alternatives: table(record.alternatives, {}),
    gates: mapped(record.gates, (stored) => table(stored, PASSED)),
  };
}

/** Whether a decision may refer to a market: it has the same vaults and constants. */
export const fits = ({ record }: DecisionMarket, { snapshotHour, inputs }: Decision): boolean =>
  record.snapshotHour === snapshotHour &&
  record.vaultIds.length === inputs.candidates.length &&
  inputs.candidates.every(({ vaultId }, row) => vaultId === record.vaultIds[row]) &&
  JSON.stringify(record.constants) === JSON.stringify(inputs.constants);

/**
 * What a gate's columns are probably like: the market's, or what follows from others of the decision. Only differences from it are stored, so that
 * nothing here may change: a stored record would be read otherwise.
 */
function baseOf(
  gate: string,
  market: DecisionMarket,
  amount: bigint,
  columns: { delta: Column; held: Column; valueOf: (gate: string) => Column },
): Table {
  const { sizes } = market.record;
  const after = (row: number): bigint => BigInt(columns.held(row) as string) + amount;
  const ofSize = (value: (size: bigint, row: number) => number): Column => {
    const values = sizes.map((size, row) => (size === null ? null : value(BigInt(size), row)));
    return (row) => values[row];
  };
  const value: Record<string, () => Column> = {
    delta: () => columns.delta,
    return: () => columns.valueOf('gain'),
    promise: () => columns.valueOf('net_gain'),
    capacity: () => (row) => Number(after(row)) / 1e6,
    size: () => ofSize((size) => Number(size) / Number(amount)),
    share: () => ofSize((size, row) => Number(after(row)) / Number(size + amount)),
  };
  const own = value[gate];
  return market.gates[gate] ?? (own ? { ...PASSED, value: own() } : PASSED);
}

/** What a candidate's columns are probably like, likewise. */
const candidateBase = (market: DecisionMarket, inflow: Column): Table => ({
  ...market.candidates,
  inflowOfOthers: inflow,
});

/** A decision without what its market has. Nothing of it is lost: `wholeOf` makes the same of it, whatever would be decided by then. */
export function ownOf(decision: Decision, market: DecisionMarket): OwnRecord {
  const { rows, candidates, alternatives, gates, names, order, others } = tablesOf(decision);
  const { inputs } = decision;
  const nameCells: Cell[] = names.map((text) => {
    const place = market.record.names.indexOf(text);
    return place === -1 ? text : place;
  });
  const columns = {
    delta: alternatives.delta,
    held: candidates['held']!,
    valueOf: (gate: string): Column => gates[gate]?.['value'] ?? (() => null),
  };
  const stored = mapped(gates, (table, gate) =>
    storedTable(table, rows, baseOf(gate, market, BigInt(inputs.amount), columns)),
  );
  return {
    ...decision,
    alternatives: {
      order,
      columns: storedTable({ ...alternatives, names: (row) => nameCells[row] }, rows, market.alternatives),
      gates: only(stored, (gate) => Object.keys(stored[gate]!).length > 0),
      others,
    },
    inputs: {
      ...inputs,
      constants: null,
      candidates: storedTable(candidates, rows, candidateBase(market, candidates['inflow']!)),
    },
  };
}

/** The whole decision, as it was made. @param market null: of a record that is whole @throws RangeError when the record is not of the market */
export function wholeOf(stored: StoredRecord, market: DecisionMarket | null): Decision {
  if (market === null) return stored as Decision;
  const own = stored as OwnRecord;
  const { alternatives, inputs } = own;
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
  const ofRow = column('names');
  const gateIn = gatesIn(alternatives.gates, market, BigInt(inputs.amount), {
    delta: table.delta,
    held: (row) => candidates[row]!.held,
  });
  const ranked = alternatives.order.map((row) => {
    const cell = ofRow(row) as string | number;
    const ownNames = typeof cell === 'number' ? names[cell]! : cell;
    return {
      vaultId: vaultIds[row],
      action: table.action(row),
      apy: table.apy(row),
      expectedApy: table.expectedApy(row),
      riskAdjustedApy: table.riskAdjustedApy(row),
      rate: table.rate(row),
      delta: table.delta(row),
      gates: ownNames.split(' ').map((gate) => gateIn(gate, row)),
      chosen: table.chosen(row),
    } as Alternative;
  });
  // Fields keep their places.
  return {
    ...own,
    alternatives: [...ranked, ...alternatives.others],
    inputs: { ...inputs, constants, candidates },
  };
}

/** Gate of a name and a row. */
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
    const known = tables.get(gate);
    if (known) return known;
    const own = stored[gate] ?? {};
    const base = baseOf(gate, market, amount, { ...columns, valueOf: (other) => tableOf(other).values });
    const table = {
      values: columnIn(own, 'value', base['value']),
      thresholds: columnIn(own, 'threshold', base['threshold']),
      passes: columnIn(own, 'passed', base['passed']),
      rules: 'rules' in own ? columnIn(own, 'rules') : null,
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
