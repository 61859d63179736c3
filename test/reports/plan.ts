/** A node of the output of EXPLAIN (ANALYZE, FORMAT JSON). */
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

export interface Explained {
  Plan: PlanNode;
  /** Milliseconds. */
  'Execution Time': number;
}

/** Rows read from each table, including rows that a filter removed. A part of the plan that was never run read nothing. */
export function rowsRead({ Plan: plan }: Explained): Map<string, number> {
  const read = new Map<string, number>();
  const visit = (node: PlanNode): void => {
    const table = node['Relation Name'];
    if (table !== undefined && node['Actual Loops'] > 0) {
      const each =
        node['Actual Rows'] +
        (node['Rows Removed by Filter'] ?? 0) +
        (node['Rows Removed by Index Recheck'] ?? 0);
      // The ledger has a partition for each month.
      const name = table.replace(/_\d{4}_\d{2}$/, '');
      read.set(name, (read.get(name) ?? 0) + Math.round(each * node['Actual Loops']));
    }
    node.Plans?.forEach(visit);
  };
  visit(plan);
  return read;
}
