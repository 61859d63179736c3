import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INestApplicationContext } from '@nestjs/common';
import { Dispatcher } from '../domain/outbound/webhooks/dispatcher.js';
import { EndpointService } from '../domain/outbound/webhooks/endpoint.service.js';
import { FanOutService } from '../domain/outbound/webhooks/fan-out.service.js';

const HOST = '127.0.0.1';
/** Networks that the preparation may send to: its receiver's. */
export const RECEIVER_NETWORKS = [`${HOST}/32`];
/** Whole units of the position whose events the receiver refuses, so that the same sends fail everywhere. */
export const REFUSED_AMOUNT = 1_250n;

const PAUSED = { active: false, description: 'Ledger service, paused: its receiver ended' };

/** Runs work beside a receiver of webhooks, which answers most with 200 and some with 503. Its URL is null where it cannot listen. */
export async function withReceiver<T>(work: (url: string | null) => Promise<T>): Promise<T> {
  const receiver = createServer((request, response) => {
    const answer = (body: Buffer[]): unknown =>
      response.writeHead(Buffer.concat(body).includes(`"principal":${REFUSED_AMOUNT},`) ? 503 : 200).end();
    request.toArray().then(answer, () => response.destroy());
  });
  const url = await new Promise<string | null>((resolve) => {
    receiver.once('error', () => resolve(null));
    receiver.listen(0, HOST, () =>
      resolve(`http://${HOST}:${(receiver.address() as AddressInfo).port}/vaultline`),
    );
  });
  try {
    return await work(url);
  } finally {
    receiver.close();
    receiver.closeAllConnections();
  }
}

/** Sends the events so far, as the server does, and waits for the outcomes. */
export async function sendEvents(context: INestApplicationContext): Promise<void> {
  await context.get(FanOutService).fanOut();
  await context.get(Dispatcher).drained();
}

/** Pauses a partner's endpoints, whose receiver is about to end: it misses later events. */
export async function pauseEndpoints(context: INestApplicationContext, partnerId: string): Promise<void> {
  const endpoints = context.get(EndpointService);
  const { items } = await endpoints.list(partnerId, { limit: 10, after: null });
  for (const { id, active } of items) if (active) await endpoints.update(partnerId, id, PAUSED);
}
