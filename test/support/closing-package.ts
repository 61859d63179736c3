import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Api } from './api.js';
import { ENDS } from './child-environment.js';
import { zipFiles } from './zip.js';

/** The script of docs/accounting.md, as it is printed there. */
const SCRIPT = /```python\n([\s\S]*?)```/.exec(readFileSync('docs/accounting.md', 'utf8'))![1]!;

/** The bytes that a download has. @throws Error for another answer than a ZIP */
export async function packageOf({ url, key }: Api, period: string): Promise<Buffer> {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${url}/api/v1/partner/statements/${period}/package`, { headers });
  if (answer.status !== 200) throw new Error(`${period} answers ${answer.status}: ${await answer.text()}`);
  return Buffer.from(await answer.arrayBuffer());
}

/** What the script says of the files in a folder; empty: nothing differs. */
export async function verifiedFolder(folder: string): Promise<string> {
  const script = join(folder, 'verify.py');
  await writeFile(script, SCRIPT);
  const { stdout, stderr } = await promisify(execFile)('python3', [script, folder], ENDS).catch(
    (failed: unknown) => failed as { stdout: string; stderr: string },
  );
  return stdout + stderr;
}

/** What it says of files. */
export async function verified(files: ReadonlyMap<string, Buffer>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'package-'));
  try {
    for (const [name, content] of files) await writeFile(join(folder, name), content);
    return await verifiedFolder(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

export const filesOf = async (api: Api, period: string): Promise<Map<string, Buffer>> =>
  zipFiles(await packageOf(api, period));
