import {
  type HostResolver,
  UrlGuard,
  type UrlGuardOptions,
} from '../../src/domain/outbound/egress/url-guard.js';
import {
  type SendOutcome,
  WebhookSender,
  type WebhookSenderOptions,
} from '../../src/domain/outbound/webhooks/sender.js';
import { type Answer, LoopbackReceiver } from './loopback-receiver.js';

export const LOOPBACK: HostResolver = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);

const opened: { close(): Promise<void> }[] = [];

/** Closes the receivers and senders of a test. Each suite calls it after each test: a hook here would belong to the first suite of a worker alone. */
export async function closeAll(): Promise<void> {
  for (const thing of opened.splice(0).reverse()) await thing.close();
}

export async function receiver(
  answer: Answer,
  identity?: { cert: string; key: string },
): Promise<LoopbackReceiver> {
  const receiver = await LoopbackReceiver.open(answer, identity);
  opened.push(receiver);
  return receiver;
}

/** Every name leads to this machine. */
export function sender(
  options: Partial<WebhookSenderOptions> = {},
  guard: Partial<UrlGuardOptions> = {},
): WebhookSender {
  const allowed = { allowedNetworks: ['127.0.0.0/8'], requireHttps: false, resolve: LOOPBACK };
  const sender = new WebhookSender({
    guard: new UrlGuard({ ...allowed, ...guard }),
    timeoutMs: 5_000,
    userAgent: 'Vaultline/test',
    ...options,
  });
  opened.push(sender);
  return sender;
}

export const send = (sender: WebhookSender, url: string, id = 'evt_1'): Promise<SendOutcome> =>
  sender.send({ url, body: Buffer.from(id), headers: { 'webhook-id': id } });
