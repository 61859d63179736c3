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

export type StoredGates = Readonly<Record<string, StoredTable>>;

/**
 * What an hour's decisions on an asset have in common: the constants, and the fields of each candidate that do not depend on the holding. Plain JSON;
 * the digest of its text is its id.
 */
interface MarketRecord {
  /** First decision that refers to it: it makes the ids of equal contents differ. */
  decisionId: string;
  snapshotHour: string;
  constants: DecisionInputs['constants'];
  vaultIds: string[];
  /** Sizes of the candidates, micro-units; null: unknown. */
  sizes: (string | null)[];
  /** Ordered gate names of an alternative, for each order that the first decision has. */
  names: string[];
  candidates: StoredTable;
  alternatives: StoredTable;
  gates: StoredGates;
}

/** Parsed market record with its columns. */
export interface DecisionMarket {
  id: string;
  record: MarketRecord;
  candidates: Table;
  alternatives: Table;
  gates: Readonly<Record<string, Table>>;
}

/** Marks a field that a candidate lacks; no field of a candidate is an empty object. */
const ABSENT: object = {};
export const isAbsent = (cell: Cell): boolean =>
  cell === ABSENT || (typeof cell === 'object' && cell !== null && Object.keys(cell).length === 0);

/** Fields of a candidate in order, and whether all holdings of the hour share the value, apart from the effects of its earlier decisions. */
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
export const FIELDS = Object.keys(CANDIDATE_FIELDS) as (keyof Candidate)[];

/** Columns of alternatives without their gates; the first three are the market's. */
export const COLUMNS = [
  'apy',
  'expectedApy',
  'riskAdjustedApy',
  'action',
  'rate',
  'delta',
  'chosen',
] as const;
const MARKET_COLUMNS = COLUMNS.slice(0, 3);

/** Gates whose values do not depend on the holding, apart from the effects of the hour's earlier decisions. */
const MARKET_GATES: ReadonlySet<string> = new Set<GateName>([
  ...(['active', 'fresh', 'index', 'outflow', 'liquidity', 'quarantine'] as const),
  ...(['reading', 'assets', 'history', 'step', 'divergence'] as const),
]);

export const NO_FIELD: Table = Object.fromEntries(FIELDS.map((name) => [name, () => ABSENT]));
export const PASSED: Table = { passed: () => true };

export const mapValues = <T, U>(
  record: Readonly<Record<string, T>>,
  to: (value: T, name: string) => U,
): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value, name)]));
export const pick = <T>(
  record: Readonly<Record<string, T>>,
  isKept: (name: string) => boolean,
): Record<string, T> => Object.fromEntries(Object.entries(record).filter(([name]) => isKept(name)));

/** A decision as tables with a row for each candidate. */
export function tablesOf({ inputs: { candidates }, alternatives }: Decision) {
  const rows = candidates.length;
  const rowByVault = new Map(candidates.map(({ vaultId }, row) => [vaultId, row]));
  const byRow: Alternative[] = [];
  const byGate: Record<string, Gate[]> = {};
  const [order, others]: [number[], Alternative[]] = [[], []];
  for (const alternative of alternatives) {
    const row = rowByVault.get(alternative.vaultId);
    if (row === undefined) {
      others.push(alternative);
      continue;
    }
    order.push(row);
    byRow[row] = alternative;
    for (const gate of alternative.gates) (byGate[gate.gate] ??= [])[row] = gate;
  }
  const gates = mapValues(byGate, (gateByRow): Record<string, Column> => ({
    value: (row) => gateByRow[row]?.value,
    threshold: (row) => gateByRow[row]?.threshold,
    passed: (row) => gateByRow[row]?.passed,
    ...(gateByRow.some(({ rules }) => rules) && { rules: (row) => gateByRow[row]?.rules }),
  }));
  return {
    rows,
    order,
    others,
    gates,
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

/** Gate names of each row. Most rows have the same ones, so their text is reused. */
function namesOf(alternatives: readonly Alternative[]): string[] {
  let [last, text]: [readonly Gate[], string] = [[], ''];
  return alternatives.map(({ gates }) => {
    const isSame =
      gates.length === last.length && gates.every(({ gate }, index) => gate === last[index]!.gate);
    if (!isSame) text = gates.map(({ gate }) => gate).join(' ');
    last = gates;
    return text;
  });
}

/** Market of a decision, and its text. Decisions of the same hour on other holdings may refer to it. */
export function marketOf(decision: Decision, decisionId: string): { text: string; market: DecisionMarket } {
  const { rows, candidates, alternatives, gates, names } = tablesOf(decision);
  const { constants, candidates: entries } = decision.inputs;
  const record: MarketRecord = {
    decisionId,
    snapshotHour: decision.snapshotHour,
    constants,
    vaultIds: entries.map(({ vaultId }) => vaultId),
    sizes: entries.map((entry) => sizeOf(entry)?.toString() ?? null),
    names: [...new Set(names)],
    candidates: storedTable(
      pick(candidates, (name) => CANDIDATE_FIELDS[name as keyof Candidate]),
      rows,
      NO_FIELD,
    ),
    alternatives: storedTable(
      pick(alternatives, (name) => (MARKET_COLUMNS as readonly string[]).includes(name)),
      rows,
    ),
    gates: mapValues(
      pick(gates, (name) => MARKET_GATES.has(name)),
      (table) => storedTable(table, rows, PASSED),
    ),
  };
  const text = JSON.stringify(record);
  return { text, market: parseMarket(marketIdOf(text), text) };
}

/** Id of a market record: the digest of its text. */
export const marketIdOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** @param text of the stored record */
export function parseMarket(id: string, text: string): DecisionMarket {
  const record = JSON.parse(text) as MarketRecord;
  const table = (stored: StoredTable, base: Table): Table => ({
    ...base,
    ...mapValues(stored, (_, name) => columnIn(stored, name, base[name])),
  });
  return {
    id,
    record,
    candidates: table(record.candidates, NO_FIELD),
    alternatives: table(record.alternatives, {}),
    gates: mapValues(record.gates, (stored) => table(stored, PASSED)),
  };
}

/** Whether a decision may refer to a market: it has the same vaults and constants. */
export const fits = ({ record }: DecisionMarket, { snapshotHour, inputs }: Decision): boolean =>
  record.snapshotHour === snapshotHour &&
  record.vaultIds.length === inputs.candidates.length &&
  inputs.candidates.every(({ vaultId }, row) => vaultId === record.vaultIds[row]) &&
  JSON.stringify(record.constants) === JSON.stringify(inputs.constants);
