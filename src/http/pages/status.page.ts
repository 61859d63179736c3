import { setTimeout as sleep } from 'node:timers/promises';
import type { INestApplication } from '@nestjs/common';
import type { Express, Request, Response } from 'express';
import { DEPLOYMENTS } from '../../config/deployments.js';
import type { Settings } from '../../config/settings.js';
import { VERSION } from '../../config/version.js';
import { type DatabaseState, StorageWatch } from '../../domain/kernel/store/storage-watch.js';
import { browserHeaders, pagePolicy } from './docs.js';
import { Readiness } from './health.controller.js';

/** Lifetime of the cached page: however often it is read, it costs a statement or two per interval. */
const FRESH_MS = 5_000;
const PATIENCE_MS = 2_000;
/** Age of the newest market hour from which the market counts as late. */
const LATE_MS = 2 * 3_600_000;

export type FindNewestHour = () => Promise<Date | null>;

interface Page {
  status: 200 | 503;
  html: string;
}

/**
 * Serves `/status`, the deployment's health for people. It shows nothing of a partner, no address and no secret. With `DOCS=off` it does not exist.
 */
export function mountStatus(app: INestApplication, settings: Settings, findNewestHour: FindNewestHour): void {
  if (!settings.docs) return;
  const since = new Date();
  let page: Promise<Page> | null = null;
  let until = 0;
  const make = async (): Promise<Page> => {
    const [readiness, storage] = [Readiness, StorageWatch].map((type) =>
      app.get<unknown>(type, { strict: false }),
    ) as [Readiness, StorageWatch];
    const database = await answersInTime(storage.state(PATIENCE_MS), 'unreachable' as const);
    const newest = database === 'unreachable' ? undefined : await answersInTime(findNewestHour(), undefined);
    return pageOf({ state: readiness.state, newest, database, full: storage.isNearlyFull, since, settings });
  };
  const serve = async (request: Request, response: Response): Promise<void> => {
    if (!page || performance.now() > until) {
      until = Infinity;
      page = make().finally(() => (until = performance.now() + FRESH_MS));
    }
    const { status, html } = await page;
    response.writeHead(status, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': Buffer.byteLength(html),
      'Cache-Control': `public, max-age=${FRESH_MS / 1000}`,
    });
    response.end(request.method === 'HEAD' ? undefined : html);
  };
  app.use('/status', browserHeaders(pagePolicy(settings.publicUrl)));
  const express = app.getHttpAdapter().getInstance() as Express;
  express.get('/status', (request, response, next) => void serve(request, response).catch(next));
}

/** @param otherwise result when the work fails or takes too long */
const answersInTime = <T, Else>(work: Promise<T>, otherwise: Else): Promise<T | Else> =>
  Promise.race([work.catch(() => otherwise), sleep(PATIENCE_MS, otherwise, { ref: false })]);

interface Vitals {
  state: Readiness['state'];
  /** undefined: the database did not answer. */
  newest: Date | null | undefined;
  database: DatabaseState;
  full: boolean;
  since: Date;
  settings: Settings;
}

const WRITES: Partial<Record<DatabaseState, string>> = {
  read_only: 'refused: the database is read-only',
  disk_full: 'refused: the disk of the database is full',
  unreachable: 'refused: the database does not answer',
};

function pageOf({ state, newest, database, full, since, settings }: Vitals): Page {
  const isUp = state === 'ready' && newest !== undefined;
  const yields = DEPLOYMENTS[settings.contract].simulated || settings.simulatedYields;
  const rows: [string, string][] = [
    ['Contract', settings.contract],
    ['Version', VERSION],
    ['Since', since.toISOString()],
    ['State', state],
    ['Database', newest === undefined ? 'does not answer' : 'answers'],
    ['Newest hour of the market', hourText(newest)],
    ['Yields', yields ? 'simulated: nothing here is real' : 'observed'],
    ['Writes', WRITES[database] ?? (full ? 'refused: storage is nearly full' : 'taken')],
  ];
  const title = `Vaultline, ${settings.contract}: ${isUp ? 'up' : 'not available'}`;
  const html = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="UTF-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <style>
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem; color: #1a1a1a; background: #fff; }
      h1 { font-size: 1.4rem; }
      th { text-align: left; font-weight: 500; padding: .25rem 2rem .25rem 0; }
    </style>
  </head>
  <body>
    <h1>${title}</h1>
    <table>
${rows.map(([name, value]) => `      <tr><th scope="row">${name}</th><td>${value}</td></tr>`).join('\n')}
    </table>
    <p>As of ${new Date().toISOString()}. <a href="docs">Documentation</a></p>
  </body>
</html>
`;
  return { status: isUp ? 200 : 503, html };
}

function hourText(newest: Date | null | undefined): string {
  if (newest === undefined) return 'not known';
  if (newest === null) return 'none yet';
  const ageMs = Math.max(0, Date.now() - newest.getTime());
  const age = `${Math.floor(ageMs / 60_000)} minutes ago`;
  return `${newest.toISOString()}, ${age}${ageMs > LATE_MS ? ': late' : ''}`;
}
