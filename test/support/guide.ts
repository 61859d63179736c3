import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Api } from './api.js';
import { ENDS } from './child-environment.js';

/** The shell calls in a chapter of a guide, in order, as a reader copies them. @param chapter its heading */
export function callsOf(page: string, chapter: string): string[] {
  const [, text] = readFileSync(page, 'utf8').split(`\n## ${chapter}\n`);
  const [introduction = ''] = (text ?? '').split('\n## ');
  return [...introduction.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, call]) => call!);
}

/** Runs a call with one answer. @returns the data of the answer */
export async function runCall(call: string | undefined, api: Api, env: Record<string, string>): Promise<any> {
  const given = { ...process.env, API: `${api.url}/api/v1`, KEY: api.key!, ...env };
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', call!], {
    env: given,
    ...ENDS,
  });
  return JSON.parse(stdout).data;
}
