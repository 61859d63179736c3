import type { Hex } from '../chain/chain-provider.js';
import type { Observation } from './feed.js';
import type { ContractCall } from '../chain/contract-call.js';
import type { ChainSource, Vault } from '../../kernel/catalogue/catalogue.js';

export type FollowedVault = Vault & { feed: ChainSource };

export const isFollowed = (vault: Vault): vault is FollowedVault => vault.feed.kind === 'chain';

/** Identity of the contract of a price: prices of different contracts are not compared. */
export const sourceOf = ({ chain, feed: { standard, address, reserve } }: FollowedVault): string =>
  [chain, standard, address, ...(reserve === null ? [] : [reserve])].join(':');

/** Calls for share price and amounts, in two rounds; the result of a failed call is null or undefined. */
interface ShareReader {
  first(feed: ChainSource): readonly ContractCall[];
  /** @param first results of the first round */
  second(feed: ChainSource, first: readonly unknown[]): readonly ContractCall[];
  /** `price`: in the contract's scale; null: none. Amounts are micro-units, for tokens with 6 decimals; null: unknown. @param at block timestamp */
  share(first: readonly unknown[], second: readonly unknown[], at: Date): Share;
}

interface Share extends Pick<Observation, 'tvl' | 'assets' | 'liquidity'> {
  price: bigint | null;
}

/** The price is that of 1e12 shares: for a token with 6 decimals, one share has 6 digits, in which an hour's yield is only 5 units. */
const EXTRA_DECIMALS = 12n;

export const bigintOf = (value: unknown): bigint | null =>
  typeof value === 'bigint' ? value : typeof value === 'number' ? BigInt(value) : null;
const boundedBy = (limit: bigint) => (value: unknown) => {
  const number = bigintOf(value);
  return number === null || number > limit ? null : number;
};
/** Up to 1e13 units of a token with 6 decimals, several times the supply of all stablecoins: more is an error of the contract. */
const amountOf = boundedBy(10n ** 19n);
/** With more, a number of shares would not fit into a call. */
const decimalsOf = boundedBy(60n);
export const addressOf = (value: unknown): Hex | null =>
  typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value) ? (value as Hex) : null;

export const call = (to: Hex, signature: string, ...args: unknown[]): ContractCall => ({
  to,
  signature,
  args,
});
export const balanceOf = (token: Hex, holder: Hex): ContractCall =>
  call(token, 'function balanceOf(address) view returns (uint256)', holder);
const totalSupply = (token: Hex): ContractCall =>
  call(token, 'function totalSupply() view returns (uint256)');
export const convertToAssets = (vault: Hex, shares: bigint): ContractCall =>
  call(vault, 'function convertToAssets(uint256) view returns (uint256)', shares);
const placeholder = (to: Hex): ContractCall => call(to, 'function decimals() view returns (uint8)');

export const SHARE_READERS: Record<ChainSource['standard'], ShareReader> = {
  // EIP-4626. `convertToAssets` includes virtual shares and offsets but, by the standard, no exit fees.
  erc4626: {
    first: ({ address, holder }) => [
      call(address, 'function decimals() view returns (uint8)'),
      call(address, 'function totalAssets() view returns (uint256)'),
      ...(holder === null ? [] : [balanceOf(address, holder)]),
    ],
    second: ({ address, holder }, [decimals, , shares]) => [
      convertToAssets(address, 10n ** ((decimalsOf(decimals) ?? 0n) + EXTRA_DECIMALS)),
      ...(holder === null
        ? []
        : [
            call(address, 'function maxWithdraw(address) view returns (uint256)', holder),
            convertToAssets(address, bigintOf(shares) ?? 0n),
          ]),
    ],
    share: ([decimals, total], [price, maxWithdraw, holderWorth]) => {
      const assets = amountOf(total);
      const liquidity = withdrawable(assets, amountOf(maxWithdraw), bigintOf(holderWorth));
      const isPriced = decimalsOf(decimals) !== null;
      return { price: isPriced ? bigintOf(price) : null, tvl: assets, assets, liquidity };
    },
  },
  // Liquidity index of aTokens at the block, 27 decimals. An aToken is a unit of deposits. TVL is the part that is not lent out, as the second source
  // counts it.
  'aave-v3': {
    first: ({ address, reserve }) => [
      call(address, 'function getReserveNormalizedIncome(address) view returns (uint256)', reserve),
      call(address, RESERVE_DATA, reserve),
    ],
    second: ({ reserve }, [, data]) => {
      const holder = addressOf((data as { aTokenAddress?: unknown } | null | undefined)?.aTokenAddress);
      if (holder === null) return [placeholder(reserve!), placeholder(reserve!)];
      return [balanceOf(reserve!, holder), totalSupply(holder)];
    },
    share: ([income, data], [balance, supply]) => ({
      price: positive(bigintOf(income)),
      tvl: data ? amountOf(balance) : null,
      assets: data ? amountOf(supply) : null,
      liquidity: data ? lesser(amountOf(balance), amountOf(supply)) : null,
    }),
  },
  // Stored index (15 decimals) plus the rate since then (18 decimals a second): the market accrues in the same way whenever it is touched.
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
        token === null ? placeholder(address) : balanceOf(token, address),
        totalSupply(address),
      ];
    },
    share: ([totals, utilization, base], [rate, balance, supply], at) => {
      const [tvl, assets] = [addressOf(base) === null ? null : amountOf(balance), amountOf(supply)];
      const price = utilization == null ? null : accrued(totals, bigintOf(rate), at);
      return { price, tvl, assets, liquidity: lesser(tvl, assets) };
    },
  },
};

/** The contract's balance, at most its deposits: depositors cannot withdraw the rest, such as a donation or reserves. */
const lesser = (balance: bigint | null, assets: bigint | null): bigint | null =>
  balance !== null && assets !== null && assets < balance ? assets : balance;

/** Tolerance for rounding. If a holder cannot withdraw all of its own funds, `maxWithdraw` is all of the liquidity. */
const ROUNDING = 2n;
/** Fraction of the assets that routing takes as liquidity where it is unknown: a tenth. */
const KNOWN_PART = 10n;

/**
 * Withdrawable part of an ERC-4626 vault, by the `maxWithdraw` of a holder and the worth of its shares. If the holder can withdraw everything,
 * liquidity is at least `maxWithdraw`. That lower bound is used only if it is a tenth of the assets or more.
 */
function withdrawable(
  assets: bigint | null,
  maxWithdraw: bigint | null,
  holderWorth: bigint | null,
): bigint | null {
  if (maxWithdraw === null || holderWorth === null || holderWorth === 0n) return null;
  const isLimited = maxWithdraw + ROUNDING < holderWorth;
  return isLimited || (assets !== null && maxWithdraw * KNOWN_PART >= assets) ? maxWithdraw : null;
}

export const RESERVE_DATA = `function getReserveData(address) view returns ((uint256 configuration, uint128 liquidityIndex, uint128 currentLiquidityRate, uint128 variableBorrowIndex, uint128 currentVariableBorrowRate, uint128 currentStableBorrowRate, uint40 lastUpdateTimestamp, uint16 id, address aTokenAddress, address stableDebtTokenAddress, address variableDebtTokenAddress, address interestRateStrategyAddress, uint128 accruedToTreasury, uint128 unbacked, uint128 isolationModeTotalDebt))`;
const TOTALS_BASIC = `function totalsBasic() view returns ((uint64 baseSupplyIndex, uint64 baseBorrowIndex, uint64 trackingSupplyIndex, uint64 trackingBorrowIndex, uint104 totalSupplyBase, uint104 totalBorrowBase, uint40 lastAccrualTime, uint8 pauseFlags))`;

/** Additional digits for the accrual since the index was stored. */
const FINER = 10n ** 12n;

function accrued(totals: unknown, rate: bigint | null, at: Date): bigint | null {
  const { baseSupplyIndex, lastAccrualTime } = (totals ?? {}) as Record<string, unknown>;
  const [index, stored] = [bigintOf(baseSupplyIndex), bigintOf(lastAccrualTime)];
  if (index === null || stored === null || rate === null) return null;
  const seconds = BigInt(Math.floor(at.getTime() / 1000)) - stored;
  if (seconds < 0n) return null;
  return positive(index * FINER + (index * FINER * rate * seconds) / 10n ** 18n);
}

/** An index of 0 means that the reserve does not exist. */
const positive = (value: bigint | null): bigint | null => (value === 0n ? null : value);
