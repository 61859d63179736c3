import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { ConfigError } from '../../config/config-error.js';
import { ClosingPackages } from '../../domain/reporting/package/closing-packages.js';
import { PartnerService } from '../../domain/tenants/partners/partner.service.js';
import { withDomain } from '../context.js';
import type { Terminal } from '../terminal.js';

interface PackageOptions {
  partner: string;
  period: string;
  out: string;
}

export function addClosingCommands(program: Command, terminal: Terminal): void {
  program
    .command('closing')
    .description('closed months')
    .command('package')
    .description('write the closing package of a month, the same bytes that the partner downloads')
    .requiredOption('--partner <id>', 'the partner')
    .requiredOption('--period <month>', 'the closed month, such as 2026-09')
    .requiredOption('--out <file>', 'the ZIP file; one that exists is replaced')
    .action(async ({ partner, period, out }: PackageOptions) => {
      await withDomain(terminal.settings(program), async (context) => {
        await context.get(PartnerService).get(partner);
        await save(await context.get(ClosingPackages).open(partner, period), out);
      });
      terminal.print(`${out} has the closing package of ${partner} for ${period}.`);
    });
}

/** An interrupted command leaves no file that looks whole. @throws ConfigError where the file cannot be written */
async function save(bytes: AsyncIterable<Uint8Array>, out: string): Promise<void> {
  const part = `${out}.part`;
  try {
    await pipeline(bytes, createWriteStream(part));
    await rename(part, out);
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    const { path, message } = error as NodeJS.ErrnoException;
    throw path === undefined ? error : new ConfigError([`--out is ${JSON.stringify(out)}: ${message}.`]);
  }
}
