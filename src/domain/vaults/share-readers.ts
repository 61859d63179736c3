import type { Hex } from '../chain/chain-provider.js';
import type { ContractCall } from '../chain/contract-call.js';
import type { ChainSource, Vault } from './vault.js';

/** A vault that is followed by its share price. */
export type Followed = Vault & { feed: ChainSource };

export const isFollowed = (vault: Vault): vault is Followed => vault.feed.kind === 'chain';

/** Names the contract that a price is of: prices of another one are not compared with it. */
export const sourceOf = ({ chain, feed: { standard, address, reserve } }: Followed): string =>
  [chain, standard, address, ...(reserve === null ? [] : [reserve])].join(':');

/** How a share price and a TVL are asked for, in two steps; a call that was not answered as it should be is null or undefined in the results. */
interface ShareReader {
  first(feed: ChainSource): readonly ContractCall[];
  /** @param first what the first calls returned */
  second(feed: ChainSource, first: readonly unknown[]): readonly ContractCall[];
  /** `price`: in a scale of its own; null: none. `tvl`: micro-units, of tokens with 6 decimals; null: not known. @param at of the block */
  share(
    first: readonly unknown[],
    second: readonly unknown[],
    at: Date,
  ): { price: bigint | null; tvl: bigint | null };
}

/** Shares are asked for by the million million: one share of a token with 6 decimals says a price to 6 places, in which an hour's yield is 5 units. */
const MORE_PLACES = 12n;

const bigintOf = (value: unknown): bigint | null =>
  typeof value === 'bigint' ? value : typeof value === 'number' ? BigInt(value) : null;
const addressOf = (value: unknown): Hex | null =>
  typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value) ? (value as Hex) : null;

const call = (to: Hex, signature: string, ...args: unknown[]): ContractCall => ({ to, signature, args });
const balanceOf = (token: Hex, holder: Hex): ContractCall =>
  call(token, 'function balanceOf(address) view returns (uint256)', holder);
/** A call in the place of one that nothing is known to ask of. */
const nothing = (to: Hex): ContractCall => call(to, 'function decimals() view returns (uint8)');

/** What each kind of contract is asked. */
export const SHARE_READERS: Record<ChainSource['standard'], ShareReader> = {
  // EIP-4626. Virtual shares and offsets are in convertToAssets; fees for leaving are not, as the standard has it.
  erc4626: {
    first: ({ address }) => [
      call(address, 'function decimals() view returns (uint8)'),
      call(address, 'function totalAssets() view returns (uint256)'),
    ],
    second: ({ address }, [decimals]) => [
      call(
        address,
        'function convertToAssets(uint256) view returns (uint256)',
        10n ** ((bigintOf(decimals) ?? 0n) + MORE_PLACES),
      ),
    ],
    share: ([decimals, assets], [price]) => ({
      price: bigintOf(decimals) === null ? null : bigintOf(price),
      tvl: bigintOf(assets),
    }),
  },
  // The index that balances of aTokens grow by, as of the block, 27 decimals. TVL is what is not lent out, as the second opinion counts it.
  'aave-v3': {
    first: ({ address, reserve }) => [
      call(address, 'function getReserveNormalizedIncome(address) view returns (uint256)', reserve),
      call(address, RESERVE_DATA, reserve),
    ],
    second: ({ reserve }, [, data]) => {
      const holder = addressOf((data as { aTokenAddress?: unknown } | null | undefined)?.aTokenAddress);
      return [holder === null ? nothing(reserve!) : balanceOf(reserve!, holder)];
    },
    share: ([income, data], [held]) => ({
      price: positive(bigintOf(income)),
      tvl: data ? bigintOf(held) : null,
    }),
  },
  // The index as it was last stored (15 decimals), and the rate since then (18 decimals a second): the market itself accrues so, whenever it is touched.
  'compound-v3': {
    first: ({ address }) => [
      call(address, TOTALS_BASIC),
      call(address, 'function getUtilization() view returns (uint256)'),
      call(address, 'function baseToken() view returns (address)'),
    ],
    second: ({ address }, [, utilization, base]) => {
      const token = addressOf(base);
      return [
        call(address, 'function getSupplyRate(uint256) view returns (uint64)', bigintOf(utilization) ?? 0n),
        token === null ? nothing(address) : balanceOf(token, address),
      ];
    },
    share: ([totals, utilization, base], [rate, held], at) => ({
      price: utilization == null ? null : accrued(totals, bigintOf(rate), at),
      tvl: addressOf(base) === null ? null : bigintOf(held),
    }),
  },
};

const RESERVE_DATA = `function getReserveData(address) view returns ((uint256 configuration, uint128 liquidityIndex, uint128 currentLiquidityRate, uint128 variableBorrowIndex, uint128 currentVariableBorrowRate, uint128 currentStableBorrowRate, uint40 lastUpdateTimestamp, uint16 id, address aTokenAddress, address stableDebtTokenAddress, address variableDebtTokenAddress, address interestRateStrategyAddress, uint128 accruedToTreasury, uint128 unbacked, uint128 isolationModeTotalDebt))`;
const TOTALS_BASIC = `function totalsBasic() view returns ((uint64 baseSupplyIndex, uint64 baseBorrowIndex, uint64 trackingSupplyIndex, uint64 trackingBorrowIndex, uint104 totalSupplyBase, uint104 totalBorrowBase, uint40 lastAccrualTime, uint8 pauseFlags))`;

/** More places than the index has, for what has accrued since it was stored. */
const FINER = 10n ** 12n;

function accrued(totals: unknown, rate: bigint | null, at: Date): bigint | null {
  const { baseSupplyIndex, lastAccrualTime } = (totals ?? {}) as Record<string, unknown>;
  const [index, stored] = [bigintOf(baseSupplyIndex), bigintOf(lastAccrualTime)];
  if (index === null || stored === null || rate === null) return null;
  const seconds = BigInt(Math.floor(at.getTime() / 1000)) - stored;
  const growth = seconds > 0n ? (index * FINER * rate * seconds) / 10n ** 18n : 0n;
  return positive(index * FINER + growth);
}

/** An index that is 0 is one of a reserve that is not there. */
const positive = (value: bigint | null): bigint | null => (value === 0n ? null : value);
