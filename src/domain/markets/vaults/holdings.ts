import type { TokenContract } from '../../../config/chains.js';
import { tokenUnits } from '../../kernel/money.js';
import type { ChainSource } from '../../kernel/catalogue/catalogue.js';
import type { ChainPass } from '../chain/chain-pass.js';
import type { Hex } from '../chain/chain-provider.js';
import type { ContractCall } from '../chain/contract-call.js';
import { addressOf, balanceOf, bigintOf, call, convertToAssets, RESERVE_DATA } from './share-readers.js';

/** Contract that holds funds of accounts. */
export interface HeldContract {
  /** `token`: the asset itself. */
  standard: ChainSource['standard'] | 'token';
  /** As the catalogue has it: of Aave, the pool's. */
  address: Hex;
  /** Token contract of the asset. */
  token: TokenContract;
}

/** Why an amount is not known. */
export type HoldingTrouble = 'providers_disagree' | 'contract_unreadable';
/** Micro-units, rounded down. */
export type Holding = bigint | HoldingTrouble;

/** What accounts hold in a contract. */
interface Held {
  accounts: readonly Hex[];
  contract: HeldContract;
}

interface HoldingReader {
  first(contract: HeldContract, accounts: readonly Hex[]): ContractCall[];
  /** Calls that follow from the results of the first ones; absent: the first results are amounts. null: those were of another type. */
  second?(contract: HeldContract, accounts: readonly Hex[], first: readonly unknown[]): ContractCall[] | null;
}

const balances = (token: Hex, accounts: readonly Hex[]): ContractCall[] =>
  accounts.map((account) => balanceOf(token, account));
const ownBalances: HoldingReader = { first: ({ address }, accounts) => balances(address, accounts) };

const READERS: Record<HeldContract['standard'], HoldingReader> = {
  token: ownBalances,
  // A balance of Comet includes its interest.
  'compound-v3': ownBalances,
  erc4626: {
    ...ownBalances,
    second: ({ address }, _, first) => {
      const shares = sumOf(first);
      return typeof shares === 'bigint' ? [convertToAssets(address, shares)] : null;
    },
  },
  // A balance of aTokens includes its interest.
  'aave-v3': {
    first: ({ address, token }) => [call(address, RESERVE_DATA, token.address)],
    second: (_, accounts, [data]) => {
      const aToken = addressOf((data as { aTokenAddress?: unknown } | null)?.aTokenAddress);
      return aToken === null ? null : balances(aToken, accounts);
    },
  },
};

/** What the accounts of each entry hold together in its contract, at the block of the pass, by the vote of its providers. */
export async function readHoldings(pass: ChainPass, held: readonly Held[]): Promise<Holding[]> {
  const first = await readEach(
    pass,
    held.map(({ contract, accounts }) => READERS[contract.standard].first(contract, accounts)),
  );
  const second = await readEach(
    pass,
    held.map(({ contract, accounts }, index) => {
      const results = first[index]!;
      if (troubleIn(results) !== null) return [];
      return READERS[contract.standard].second?.(contract, accounts, results) ?? [];
    }),
  );
  return held.map(({ contract: { standard, token } }, index) => {
    const trouble = troubleIn(first[index]!);
    if (trouble !== null) return trouble;
    const sum = sumOf(READERS[standard].second ? second[index]! : first[index]!);
    return typeof sum === 'bigint' ? sum / tokenUnits(1n, token.decimals) : sum;
  });
}

/** Results of each group of calls. */
async function readEach(pass: ChainPass, groups: readonly ContractCall[][]): Promise<unknown[][]> {
  const calls = groups.flat();
  const results = calls.length === 0 ? [] : await pass.readAgreed(calls);
  let next = 0;
  return groups.map(({ length }) => {
    const from = next;
    next += length;
    return results === null ? Array<undefined>(length).fill(undefined) : results.slice(from, next);
  });
}

/** A result without majority is undefined, and that of a failed call null. */
const troubleIn = (results: readonly unknown[]): HoldingTrouble | null =>
  results.some((result) => result === undefined)
    ? 'providers_disagree'
    : results.some((result) => result === null)
      ? 'contract_unreadable'
      : null;

/** More is an error of the contract, and would not fit into the books. */
const MOST = 10n ** 36n;

function sumOf(results: readonly unknown[]): bigint | HoldingTrouble {
  const trouble = troubleIn(results);
  if (trouble !== null) return trouble;
  const amounts = results.map(bigintOf);
  const sum = amounts.reduce<bigint>((all, amount) => all + (amount ?? MOST), 0n);
  return results.length === 0 || sum >= MOST ? 'contract_unreadable' : sum;
}
