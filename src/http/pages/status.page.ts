import { setTimeout as sleep } from 'node:timers/promises';
import type { INestApplication } from '@nestjs/common';
import type { Express, Request, Response } from 'express';
import { yieldsOf } from '../../config/deployments.js';
import type { Settings } from '../../config/settings.js';
import { VERSION } from '../../config/version.js';
import { type Condition, Readiness, type Refusal } from '../../domain/kernel/deployment/readiness.js';
import { browserHeaders, pagePolicy } from './docs.js';

/** Lifetime of the cached page: however often it is read, it costs a statement or two per interval. */
const FRESH_MS = 5_000;
const PATIENCE_MS = 2_000;
/** Age of the newest market hour from which the market counts as late. */
const LATE_MS = 2 * 3_600_000;

/** Newest hour of the shared market; null before the first one. Number of vaults that were ever observed. */
export type FindTick = () => Promise<{ newestHour: Date | null; vaultsObserved: number }>;

interface Page {
  status: 200 | 503;
  html: string;
}

/**
 * Serves `/status`, the deployment's health for people. It shows nothing of a partner, no address and no secret. With `DOCS=off` it does not exist.
 */
export function mountStatus(app: INestApplication, settings: Settings, findTick: FindTick): void {
  if (!settings.docs) return;
  const since = new Date();
  let page: Promise<Page> | null = null;
  let until = 0;
  const make = async (): Promise<Page> => {
    const condition = await app.get(Readiness, { strict: false }).read();
    const tick = condition.status === 'database_unavailable' ? null : await answerInTime(findTick());
    return pageOf({ condition, tick, since, settings });
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

/** @returns null when the work fails or takes too long */
const answerInTime = <T>(work: Promise<T>): Promise<T | null> =>
  Promise.race([work.catch(() => null), sleep(PATIENCE_MS, null, { ref: false })]);

interface Vitals {
  condition: Condition;
  /** null: the database did not answer. */
  tick: Awaited<ReturnType<FindTick>> | null;
  since: Date;
  settings: Settings;
}

const REASONS: Record<Refusal, string> = {
  read_only: 'the database is read-only',
  disk_full: 'the disk of the database is full',
  nearly_full: 'storage is nearly full',
  market: "the market's hours contradict each other",
  clock: 'the clock of this machine is wrong',
};
const YIELDS: Record<ReturnType<typeof yieldsOf>, string> = {
  simulated: 'simulated: nothing here is real',
  observed: 'observed',
  none: 'none observed yet',
};

function pageOf({ condition: { status, degraded }, tick, since, settings }: Vitals): Page {
  const isUp = status === 'ready' && tick !== null;
  const reason = degraded ? REASONS[degraded] : tick === null ? 'the database does not answer' : status;
  const rows: [string, string][] = [
    ['Contract', settings.contract],
    ['Version', VERSION],
    ['Since', since.toISOString()],
    ['State', degraded ? `${status}: ${degraded}` : status],
    ['Database', tick === null ? 'does not answer' : 'answers'],
    ['Newest hour of the market', tick === null ? 'not known' : hourText(tick.newestHour)],
    ['Yields', tick === null ? 'not known' : YIELDS[yieldsOf(settings, tick.vaultsObserved)]],
    ['Deposits', isUp ? 'taken' : `refused: ${reason}`],
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

function hourText(newest: Date | null): string {
  if (newest === null) return 'none yet';
  const ageMs = Date.now() - newest.getTime();
  if (ageMs < 0) return `${newest.toISOString()}, in the future`;
  const age = `${Math.floor(ageMs / 60_000)} minutes ago`;
  return `${newest.toISOString()}, ${age}${ageMs > LATE_MS ? ': late' : ''}`;
}
