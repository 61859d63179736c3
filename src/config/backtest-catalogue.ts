import { resolve } from 'node:path';
import type * as z from 'zod';
import { bridgeCost, type BridgeCostEntry, bridgeProblems, tokenContract } from './chains.js';
import { ConfigError } from './config-error.js';
import { ConfigFiles, problemsOf } from './config-files.js';
import { CONFIG_FOLDER, type Constants, CONSTANTS, pairProblems } from './constants.js';
import { withFixed } from './fixed-constants.js';
import { form, oneOf, section, sections, text } from './setting-kinds.js';
import { catalogueProblems, toCatalogue, type Vault, vaultEntry } from './vault-catalogue.js';

const COLUMN = /^[^ ,]+$/;
const COLUMNS = /^[^ ,]+( - [^ ,]+)?$/;

const recordedFeed = {
  kind: oneOf(['recorded']),
  file: text(1, 255),
  rate: oneOf(['apr', 'apy', 'price']),
  assets: form(COLUMN, 'a column of the file, or null').nullable(),
  liquidity: form(COLUMNS, 'a column of the file, two with " - " between them, or null').nullable(),
};

/** Recorded readings of a vault, in a CSV file. */
export type RecordedFeed = z.infer<z.ZodObject<typeof recordedFeed>>;

const CATALOGUE = section({
  ...CONSTANTS.shape,
  vaults: sections({ ...vaultEntry, feed: section(recordedFeed) }),
  bridgeCosts: sections(bridgeCost).default([]),
  tokens: sections(tokenContract).default([]),
});

/** Catalogue of a backtest: that of a deployment, whose vaults have recorded feeds. */
export interface BacktestCatalogue {
  asset: string;
  constants: Constants;
  vaults: Vault[];
  bridgeCosts: BridgeCostEntry[];
  feeds: ReadonlyMap<string, RecordedFeed>;
}

/**
 * Reads a catalogue of recorded vaults. It overrides `default.yaml` key by key, as a contract's file does, so that it may try other constants.
 * @param file path
 * @throws ConfigError with a line for each problem
 */
export function readBacktestCatalogue(file: string): BacktestCatalogue {
  const files = new ConfigFiles(CONFIG_FOLDER, ['default.yaml', resolve(file)]);
  const read = CATALOGUE.safeParse(files.merged);
  if (!read.success) throw files.refusal(problemsOf(read.error, files.merged));
  const { vaults: entries, bridgeCosts, tokens: _, ...constants } = read.data;
  const vaults = entries.map((entry) => ({ ...entry, feed: { kind: 'simulated' as const } }));
  const problems = [
    ...pairProblems(constants),
    ...catalogueProblems(vaults, constants.assets),
    ...bridgeProblems(bridgeCosts, vaults),
  ];
  if (problems.length > 0) throw files.refusal(problems);
  const [asset, ...others] = constants.assets;
  if (asset === undefined || others.length > 0)
    throw new ConfigError([`${file}: a backtest takes one asset; keep one under assets, with its vaults.`]);
  return {
    asset,
    constants: withFixed(constants),
    vaults: toCatalogue(vaults).map((vault, index) =>
      entries[index]!.feed.rate === 'price' ? { ...vault, feed: PRICED } : vault,
    ),
    bridgeCosts,
    feeds: new Map(entries.map(({ id, feed }) => [id, feed])),
  };
}

/** A recorded price is followed as that of a contract is: the index moves towards it. */
const PRICED: Vault['feed'] = {
  kind: 'chain',
  standard: 'erc4626',
  address: `0x${'0'.repeat(40)}`,
  reserve: null,
  holder: null,
  secondSource: null,
};
