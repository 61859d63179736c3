import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { encodeDeployData, encodeFunctionData } from 'viem/utils';
import type { Hex } from '../../../src/domain/markets/chain/chain-provider.js';
import { MULTICALL } from '../../../src/domain/markets/chain/contract-call.js';
import { type CompiledContract, compiledContracts, type ContractName } from './contracts.js';
import { SERVES } from '../child-environment.js';

export interface AnvilOptions {
  /** Default: 1, Ethereum's. */
  chainId?: number;
  /** The time of the first block; default: now. */
  at?: Date;
  /** Whether Multicall3 is deployed. Default: true. */
  multicall?: boolean;
}

/** A deployed contract. */
export interface DeployedContract {
  address: Hex;
  /** Sends a transaction, which is mined at once. @returns its hash */
  send(method: string, ...args: readonly unknown[]): Promise<Hex>;
  /** Calls a method at the newest block. @returns the returned bytes */
  call(method: string, ...args: readonly unknown[]): Promise<Hex>;
}

/** The number of blocks between the finalized block and the newest: two epochs of one slot. */
export const BLOCKS_TO_FINALITY = 2;

/** A chain for one test file, whose blocks are mined by transactions and by `mine`. Its accounts are unlocked: it signs for each of them. */
export class Anvil {
  private contracts: Record<ContractName, CompiledContract>;

  private constructor(
    /** Its RPC URL. */
    readonly url: string,
    private readonly process: ChildProcess,
    /** Ten accounts that have ether. */
    readonly accounts: readonly Hex[],
  ) {}

  static async start({ chainId = 1, at, multicall = true }: AnvilOptions = {}): Promise<Anvil> {
    const contracts = await compiledContracts();
    const options = [
      '--host',
      '127.0.0.1',
      '--port',
      '0',
      '--slots-in-an-epoch',
      '1',
      '--chain-id',
      String(chainId),
    ];
    if (at) options.push('--timestamp', String(Math.floor(at.getTime() / 1000)));
    const child = spawn(binary(), options, { stdio: ['ignore', 'pipe', 'ignore'], ...SERVES });
    const url = `http://127.0.0.1:${await portOf(child)}`;
    const accounts = (await rpc(url, 'eth_accounts')) as Hex[];
    const anvil = new Anvil(url, child, accounts);
    anvil.contracts = contracts;
    if (multicall) await anvil.rpc('anvil_setCode', MULTICALL, contracts.Multicall3.deployed);
    return anvil;
  }

  /** Stops the chain. May be called twice. */
  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await ended;
  }

  /** @throws Error for an error answer */
  rpc(method: string, ...params: readonly unknown[]): Promise<unknown> {
    return rpc(this.url, method, params);
  }

  async deploy(name: ContractName, ...args: readonly unknown[]): Promise<DeployedContract> {
    const { abi, bytecode } = this.contracts[name];
    const data = encodeDeployData({ abi, bytecode, args: [...args] });
    const { contractAddress } = await this.transact({ from: this.accounts[0]!, data });
    return this.at(name, contractAddress);
  }

  /** A contract that exists already. @param from the account that sends; default: the first */
  at(name: ContractName, address: Hex, from = this.accounts[0]!): DeployedContract {
    const { abi } = this.contracts[name];
    const data = (functionName: string, args: readonly unknown[]): Hex =>
      encodeFunctionData({ abi, functionName, args: [...args] });
    return {
      address,
      send: async (method, ...args) =>
        (await this.transact({ from, to: address, data: data(method, args) })).transactionHash,
      call: async (method, ...args) =>
        (await this.rpc('eth_call', { to: address, data: data(method, args) }, 'latest')) as Hex,
    };
  }

  /** Sends a transaction, which is mined at once, from the first account unless told otherwise. The gas limit is fixed, so that one that reverts is mined as well, as failed. */
  async transact(transaction: { from?: Hex; to?: Hex; data: Hex }): Promise<Receipt> {
    const from = this.accounts[0];
    const hash = await this.rpc('eth_sendTransaction', { from, ...transaction, gas: GAS });
    // The transaction is mined at once, but its hash is returned a moment before.
    for (;;) {
      const receipt = (await this.rpc('eth_getTransactionReceipt', hash)) as Receipt | null;
      if (receipt) return receipt;
    }
  }

  /** The number of the newest block. */
  async height(): Promise<number> {
    return Number(await this.rpc('eth_blockNumber'));
  }

  /** Mines empty blocks. @param at timestamp of the first one; the rest follow a second apart */
  async mine(blocks = 1, at?: Date): Promise<void> {
    if (at) await this.setTime(at);
    await this.rpc('anvil_mine', `0x${blocks.toString(16)}`, '0x1');
  }

  /** Sets the time of the next block, which must be after the newest one. */
  async setTime(at: Date): Promise<void> {
    await this.rpc('evm_setNextBlockTimestamp', Math.floor(at.getTime() / 1000));
  }

  /** Mines blocks until everything sent before is final. @param at timestamp of the first of them */
  async finalize(at?: Date): Promise<void> {
    await this.mine(BLOCKS_TO_FINALITY, at);
  }

  /** Replaces the newest blocks with empty ones (a reorganisation). */
  async reorganise(depth: number): Promise<void> {
    await this.rpc('anvil_reorg', depth, []);
  }
}

interface Receipt {
  transactionHash: Hex;
  /** `0x1`, or `0x0` where it was reverted. */
  status: Hex;
  /** The address of a deployment. */
  contractAddress: Hex;
}

const GAS = '0x2dc6c0';

async function rpc(url: string, method: string, params: readonly unknown[] = []): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

/** The binary itself: its wrapper would be a further process, which does not always end it. */
function binary(): string {
  const arch = { x64: 'amd64', arm64: 'arm64' }[process.arch as string];
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const require = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'));
  return require.resolve(`@foundry-rs/anvil-${process.platform}-${arch}/bin/anvil${suffix}`);
}

/** The port, which the process prints once it listens. */
async function portOf(child: ChildProcess): Promise<string> {
  for await (const line of createInterface(child.stdout!)) {
    const [, port] = /^Listening on .*:(\d+)/.exec(line) ?? [];
    if (port) {
      // The log of each call is discarded: a full pipe would block the process.
      child.stdout!.resume();
      return port;
    }
  }
  throw new Error(`anvil ended with ${child.exitCode ?? child.signalCode}`);
}
