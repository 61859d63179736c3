import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { encodeDeployData, encodeFunctionData } from 'viem/utils';
import type { Hex } from '../../../src/domain/chain/chain-provider.js';
import { MULTICALL } from '../../../src/domain/chain/contract-call.js';
import { type Compiled, compiledContracts, type ContractName } from './contracts.js';

export interface AnvilOptions {
  /** Default: 1, which is Ethereum's. */
  chainId?: number;
  /** Of its first block; default: now. */
  at?: Date;
  /** Default: true. */
  multicall?: boolean;
}

/** A contract that was deployed. */
export interface Deployed {
  address: Hex;
  /** Sends a transaction, which is mined at once. @returns its hash */
  send(method: string, ...args: readonly unknown[]): Promise<Hex>;
  /** Calls it at the newest block; what it returns, as bytes. */
  call(method: string, ...args: readonly unknown[]): Promise<Hex>;
}

/** Blocks behind the newest one that the finalized one is: two epochs of one slot. */
export const BLOCKS_TO_FINALITY = 2;

/** A chain of one test file, whose blocks are mined by transactions and by `mine`. Accounts are unlocked: it signs for whom it is asked to. */
export class Anvil {
  private contracts: Record<ContractName, Compiled>;

  private constructor(
    /** Its RPC URL. */
    readonly url: string,
    private readonly process: ChildProcess,
    /** Ten that have ether. */
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
    const child = spawn(binary(), options, { stdio: ['ignore', 'pipe', 'ignore'] });
    const url = `http://127.0.0.1:${await portOf(child)}`;
    const accounts = (await rpc(url, 'eth_accounts')) as Hex[];
    const anvil = new Anvil(url, child, accounts);
    anvil.contracts = contracts;
    if (multicall) await anvil.rpc('anvil_setCode', MULTICALL, contracts.Multicall3.deployed);
    return anvil;
  }

  /** Ends it. May be called twice. */
  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await ended;
  }

  /** @throws Error for an error that it answers */
  rpc(method: string, ...params: readonly unknown[]): Promise<unknown> {
    return rpc(this.url, method, params);
  }

  async deploy(name: ContractName, ...args: readonly unknown[]): Promise<Deployed> {
    const { abi, bytecode } = this.contracts[name];
    const data = encodeDeployData({ abi, bytecode, args: [...args] });
    const { contractAddress } = await this.mined({ from: this.accounts[0], data, gas: GAS });
    return this.at(name, contractAddress);
  }

  /** A contract that is there already. */
  at(name: ContractName, address: Hex): Deployed {
    const { abi } = this.contracts[name];
    const data = (functionName: string, args: readonly unknown[]): Hex =>
      encodeFunctionData({ abi, functionName, args: [...args] });
    const from = this.accounts[0];
    return {
      address,
      // With gas of its own: one that reverts is mined as well, as a failed one.
      send: async (method, ...args) => {
        const { transactionHash } = await this.mined({
          from,
          to: address,
          data: data(method, args),
          gas: GAS,
        });
        return transactionHash;
      },
      call: async (method, ...args) =>
        (await this.rpc('eth_call', { from, to: address, data: data(method, args) }, 'latest')) as Hex,
    };
  }

  /** Sends a transaction and waits for its block, which comes a moment later. */
  private async mined(transaction: object): Promise<{ transactionHash: Hex; contractAddress: Hex }> {
    const hash = await this.rpc('eth_sendTransaction', transaction);
    for (let tries = 0; tries < 500; tries++) {
      const receipt = await this.rpc('eth_getTransactionReceipt', hash);
      if (receipt !== null) return receipt as { transactionHash: Hex; contractAddress: Hex };
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`No block took the transaction ${String(hash)}.`);
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

  /** What the next block is dated. It must lie behind the newest one. */
  async setTime(at: Date): Promise<void> {
    await this.rpc('evm_setNextBlockTimestamp', Math.floor(at.getTime() / 1000));
  }

  /** Mines so many blocks that all that was sent before is final. @param at timestamp of the first of them */
  async finalize(at?: Date): Promise<void> {
    await this.mine(BLOCKS_TO_FINALITY, at);
  }

  /** Takes the newest blocks away and mines as many empty ones in their place: what was in them never happened. */
  async reorganise(depth: number): Promise<void> {
    await this.rpc('anvil_reorg', depth, []);
  }
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

/** The program itself: its wrapper would be another process, which does not end it in every case. */
function binary(): string {
  const arch = { x64: 'amd64', arm64: 'arm64' }[process.arch as string];
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const require = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'));
  return require.resolve(`@foundry-rs/anvil-${process.platform}-${arch}/bin/anvil${suffix}`);
}

/** It says where it listens once it does. */
async function portOf(child: ChildProcess): Promise<string> {
  for await (const line of createInterface(child.stdout!)) {
    const [, port] = /^Listening on .*:(\d+)/.exec(line) ?? [];
    if (port) {
      // What it says of each call is nobody's business, but a pipe that is full would hold it.
      child.stdout!.resume();
      return port;
    }
  }
  throw new Error(`anvil ended with ${child.exitCode ?? child.signalCode}`);
}
