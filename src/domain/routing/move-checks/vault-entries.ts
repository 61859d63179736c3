import type { ChainSource } from '../../../config/vault-catalogue.js';
import type { Hex } from '../../markets/chain/chain-provider.js';
import type { ChainLog } from '../../markets/chain/receipt.js';
import type { CheckedStep } from './move-check.js';

/** Contract of a vault. */
export interface VaultContract {
  standard: ChainSource['standard'];
  address: string;
  /** In lower case. */
  token: string;
}

/** An event of a vault's contract: where it names the account whose funds it moves, and the amount. */
interface VaultEvent {
  /** keccak-256 of its signature. */
  topic: Hex;
  /** Its place among the topics, the first of which is the signature. */
  account: number;
  /** Its place among the words of the data. */
  amount: number;
  /** Place of the token among the topics, where the contract has several. */
  token?: number;
}

const EVENTS: Record<VaultContract['standard'], Record<CheckedStep, VaultEvent>> = {
  erc4626: {
    // Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)
    redeemed: {
      topic: '0xfbde797d201c681b91056529119e0b02407c7bb96a4a2c75c01fc9667232c8db',
      account: 3,
      amount: 0,
    },
    // Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)
    settled: {
      topic: '0xdcbc1c05240f31ff3ad067ef1ee35ce4997762752e3a095284754544f4c709d7',
      account: 2,
      amount: 0,
    },
  },
  'aave-v3': {
    // Withdraw(address indexed reserve, address indexed user, address indexed to, uint256 amount)
    redeemed: {
      topic: '0x3115d1449a7b732c986cba18244e897a450f61e1bb8d589cd2e69e6c8924f9f7',
      account: 2,
      amount: 0,
      token: 1,
    },
    // Supply(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint16 indexed referralCode)
    settled: {
      topic: '0x2b627736bca15cd5381dcf80b0bf11fd197d01a037c52b927a881a10fb73ba61',
      account: 2,
      amount: 1,
      token: 1,
    },
  },
  'compound-v3': {
    // Withdraw(address indexed src, address indexed to, uint256 amount)
    redeemed: {
      topic: '0x9b1bfa7fa9ee420a16e124f794c35ac9f90472acc99140eb2f6447c714cad8eb',
      account: 1,
      amount: 0,
    },
    // Supply(address indexed from, address indexed dst, uint256 amount)
    settled: {
      topic: '0xd1cf3d156d5f8f0d50f6c122ed609cec09d35c9b9fb3fff6ea0959134dae424e',
      account: 2,
      amount: 0,
    },
  },
};

/** What a vault paid out of the accounts' funds, or took in for them, by the events of its contract; 0: it logged nothing. */
export function vaultEntries(
  logs: readonly ChainLog[],
  { standard, address, token }: VaultContract,
  step: CheckedStep,
  accounts: ReadonlySet<string>,
): bigint {
  const event = EVENTS[standard][step];
  const contract = address.toLowerCase();
  return logs.reduce((sum, { address: emitter, topics, data }) => {
    if (emitter !== contract || topics[0] !== event.topic) return sum;
    if (event.token !== undefined && addressIn(topics[event.token]) !== token) return sum;
    if (!accounts.has(addressIn(topics[event.account]))) return sum;
    return sum + wordOf(data, event.amount);
  }, 0n);
}

const addressIn = (topic: Hex | undefined): string => `0x${(topic ?? '').slice(-40)}`;

/** Word of 32 bytes at a place; 0 where the data ends before it. */
function wordOf(data: Hex, place: number): bigint {
  const digits = data.slice(2 + 64 * place, 2 + 64 * (place + 1));
  return digits.length === 64 ? BigInt(`0x${digits}`) : 0n;
}
