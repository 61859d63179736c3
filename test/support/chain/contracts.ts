import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Abi } from 'viem';
import type { Hex } from '../../../src/domain/markets/chain/chain-provider.js';
import { ENDS } from '../child-environment.js';

export interface CompiledContract {
  abi: Abi;
  bytecode: Hex;
  /** The deployed bytecode, for contracts that are placed at an address of their own. */
  deployed: Hex;
}

export type ContractName =
  | 'TestToken'
  | 'TestVault'
  | 'TestAavePool'
  | 'TestComet'
  | 'Multicall3'
  | 'TestAccount'
  | 'TestAaveMoves'
  | 'TestAaveMarket'
  | 'TestCometMoves'
  | 'TestCometMarket';

const FOLDER = join(import.meta.dirname, 'contracts');
const COMPILER = join(import.meta.dirname, 'compile.mjs');

/** The contracts in `contracts/`. They are compiled when their text or the packages' versions change, and cached in the system's temporary folder. */
export async function compiledContracts(): Promise<Record<ContractName, CompiledContract>> {
  const hash = createHash('sha256');
  const versions = ['solc', '@openzeppelin/contracts'].map((name) => `node_modules/${name}/package.json`);
  const files = [...readdirSync(FOLDER).map((name) => join(FOLDER, name)), COMPILER, ...versions];
  for (const file of files) hash.update(readFileSync(file));
  const folder = join(tmpdir(), 'vaultline-contracts');
  const output = join(folder, `${hash.digest('hex')}.json`);
  if (!existsSync(output)) {
    mkdirSync(folder, { recursive: true });
    await promisify(execFile)(process.execPath, [COMPILER, FOLDER, output], ENDS);
  }
  return JSON.parse(readFileSync(output, 'utf8')) as Record<ContractName, CompiledContract>;
}
