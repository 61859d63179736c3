import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Clock } from '../../kernel/clock.js';
import { newId } from '../../kernel/identifier.js';
import type { ConnectionStage } from '../egress/connections.js';
import type { Delivery } from './delivery.js';
import { eventRequest, type SendOutcome, WebhookSender } from './sender.js';
import { newSigningSecret, sign } from './signature.js';
import { ForbiddenUrlError, UrlGuard } from '../egress/url-guard.js';

export const CHECK_STEPS = ['parse', 'resolve', 'judge', 'connect', 'tls', 'answer'] as const;
export type CheckStepName = (typeof CHECK_STEPS)[number];

export interface CheckStep {
  step: CheckStepName;
  /** null: the step was not tried. */
  passed: boolean | null;
  message: string;
}

export interface CheckSend {
  secret: string;
  signature: string;
  payload: Delivery['payload'];
}

export interface EndpointChecked {
  url: string;
  steps: CheckStep[];
  sent: CheckSend | null;
  status: number | null;
  latencyMs: number | null;
}

type FailedSend = Extract<SendOutcome, { ok: false }>;

/** Tries a receiver step by step, as a send does. The answer reveals no more about addresses behind a name than the guard does. */
@Injectable()
export class EndpointCheck {
  constructor(
    private readonly guard: UrlGuard,
    private readonly sender: WebhookSender,
    private readonly clock: Clock,
    private readonly settings: DomainSettings,
  ) {}

  /** Stores nothing, and sends at most one request. To be run by `SendSlots`. @param at the partner's clock, for the event */
  async run(url: string, at: Date): Promise<EndpointChecked> {
    const unsent = { url, sent: null, status: null, latencyMs: null };
    let target: URL;
    try {
      ({ url: target } = await this.guard.check(url, 'send'));
    } catch (error) {
      if (!(error instanceof ForbiddenUrlError)) throw error;
      return { ...unsent, steps: stepsOf(error.step, error.reason) };
    }
    const { body, ...sent } = this.event(at);
    const stages = new Set<ConnectionStage>();
    const request = eventRequest(url, { eventId: sent.payload.id, body, signature: sent.signature });
    const outcome = await this.sender.send(request, (stage) => stages.add(stage));
    const isEncrypted = target.protocol === 'https:';
    const steps = this.stepsOfOutcome(outcome, stages, isEncrypted);
    if (!outcome.ok && !outcome.attempted) return { ...unsent, steps };
    return { url, steps, sent, status: outcome.status, latencyMs: outcome.latencyMs };
  }

  private event(at: Date): CheckSend & { body: string } {
    const id = newId('event', at);
    const created_at = at.toISOString();
    const data = { message: 'Receiver check by Vaultline.', requested_at: created_at };
    const payload = { id, type: 'system.status' as const, created_at, data };
    const secret = newSigningSecret();
    const now = Math.floor(this.clock.wall().getTime() / 1000);
    const body = JSON.stringify(payload);
    return { secret, payload, signature: sign(secret, now, body), body };
  }

  private stepsOfOutcome(
    outcome: SendOutcome,
    stages: ReadonlySet<ConnectionStage>,
    isEncrypted: boolean,
  ): CheckStep[] {
    if (outcome.ok)
      return stepsOf(
        null,
        `The receiver answered ${outcome.status} in ${outcome.latencyMs} ms.`,
        isEncrypted,
      );
    const failed = failedStep(outcome, stages, isEncrypted);
    return stepsOf(failed, this.describeFailure(outcome, failed), isEncrypted);
  }

  private describeFailure(outcome: FailedSend, step: CheckStepName): string {
    const seconds = this.settings.webhookTimeoutMs / 1000;
    if (outcome.failure === 'timeout') return `${TIMED_OUT[step]} within ${seconds} s.`;
    if (outcome.failure === 'http_status') return answered(outcome.status!);
    return FAILED[step];
  }
}

/** A name may resolve differently than a moment ago; the verdict then names the step that failed. */
function failedStep(
  { failure }: FailedSend,
  stages: ReadonlySet<ConnectionStage>,
  isEncrypted: boolean,
): CheckStepName {
  if (failure === 'blocked_address') return 'judge';
  if (failure === 'dns_error') return 'resolve';
  if (failure === 'http_status' || stages.has('secured')) return 'answer';
  if (failure === 'tls_error') return 'tls';
  return isEncrypted && stages.has('connected') ? 'tls' : 'connect';
}

const PASSED: Record<CheckStepName, string> = {
  parse: 'The URL is well-formed.',
  resolve: 'The host is an address, or its name resolves.',
  judge: 'Webhooks may be sent to this host.',
  connect: 'A connection was opened.',
  tls: 'The TLS handshake succeeded: the certificate is good for this host.',
  answer: 'The receiver answered.',
};

const FAILED: Record<CheckStepName, string> = {
  parse: 'The URL is not well-formed.',
  resolve: 'The host does not resolve any more: check its DNS records and try again.',
  judge: 'The host now resolves to an address to which webhooks may not be sent.',
  connect: 'No connection: nothing listens at this host and port, or a firewall refuses it.',
  tls: 'The TLS handshake failed, most often because the certificate is expired, self-signed, without its chain, or for another name.',
  answer: 'The connection broke, or the response was not HTTP or too large.',
};

const TIMED_OUT: Record<CheckStepName, string> = {
  ...FAILED,
  connect: 'No connection was made',
  tls: 'The TLS handshake did not finish',
  answer: 'No complete response arrived',
};

function answered(status: number): string {
  const refusal = `The receiver answered ${status}, and only 2xx counts as delivered`;
  if (status >= 300 && status < 400)
    return `${refusal}: redirects are not followed; use the address that it points to.`;
  if ([400, 401, 403].includes(status))
    return `${refusal}. That is expected of a receiver that verifies signatures: the check is signed with the secret in this response, which the receiver does not know yet.`;
  return `${refusal}.`;
}

/** Steps up to the failed one (null when all passed), which has the message. */
function stepsOf(failed: CheckStepName | null, message: string, isEncrypted = true): CheckStep[] {
  const end = failed === null ? CHECK_STEPS.length : CHECK_STEPS.indexOf(failed);
  return CHECK_STEPS.map((step, index) => {
    if (step === failed) return { step, passed: false, message };
    if (failed === 'judge' && step === 'resolve')
      return { step, passed: null, message: 'Not shown for a host to which webhooks may not be sent.' };
    if (index > end) return { step, passed: null, message: 'Not tried.' };
    if (step === 'tls' && !isEncrypted)
      return { step, passed: null, message: 'The URL is http: nothing is encrypted.' };
    return { step, passed: true, message: step === 'answer' ? message : PASSED[step] };
  });
}
