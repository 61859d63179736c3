import { DomainError } from '../../kernel/domain-error.js';
import { rejectOnAbort } from '../../kernel/json-source.js';
import { checkAddress, type AddressVerdict } from './address-policy.js';
import { parseAddress, parseNetwork, type Network } from './ip-address.js';
import { canonicalName, isDeniedPort, checkName, parseReceiverUrl } from './name-policy.js';

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** Resolves a name to all its addresses, or rejects with an error whose `code` is one of node:dns. `signal` cancels it. */
export type HostResolver = (hostname: string, signal: AbortSignal) => Promise<ResolvedAddress[]>;

export interface GuardedUrl {
  /** Canonical URL: lower-case host in punycode, without a trailing dot. */
  url: URL;
  /** Only addresses to connect to; empty when a name does not resolve yet, which is accepted at `register` only. */
  addresses: ResolvedAddress[];
}

export interface UrlGuardOptions {
  /** CIDRs of private receivers, for which plain http and unusual ports are allowed too. */
  allowedNetworks: readonly string[];
  requireHttps: boolean;
  resolve: HostResolver;
  resolveTimeoutMs?: number;
}

/** Forbidden URL. `reason` names the remedy and never reveals what a name resolved to. */
export class ForbiddenUrlError extends DomainError {
  constructor(
    readonly kind: 'blocked_address' | 'dns_error',
    readonly reason: string,
    readonly step: 'parse' | 'resolve' | 'judge' = kind === 'dns_error' ? 'resolve' : 'judge',
  ) {
    super('webhook_url_forbidden', reason, [{ field: 'url', message: reason }]);
    this.name = 'ForbiddenUrlError';
  }
}

/** DNS errors that mean "no such name" or "not now". Any other failure counts as no answer. */
const UNRESOLVED = new Set([
  'ENOTFOUND',
  'ENODATA',
  'ESERVFAIL',
  'EREFUSED',
  'ECONNREFUSED',
  'EFORMERR',
  'ENOTIMP',
  'EBADRESP',
  'EAI_AGAIN',
]);
const LOOPBACK: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** More addresses than any receiver has; each is checked, and a name server may answer with thousands. */
const MAX_ADDRESSES = 100;

const MAX_ALLOWED_NAMES = 10_000;

type CheckedAddress = ResolvedAddress & { verdict: AddressVerdict };

/** SSRF guard: decides where webhooks may be sent, at registration, before each send, and again when a connection is opened. */
export class UrlGuard {
  private readonly networks: readonly Network[];
  /** Names that resolved into an allowed network at their last check, in the order of those checks. */
  private readonly allowedNames = new Set<string>();
  private readonly lookups = new Map<string, Promise<ResolvedAddress[] | null>>();

  /** @throws Error naming the entry of `allowedNetworks` that is not a network */
  constructor(private readonly options: UrlGuardOptions) {
    this.networks = options.allowedNetworks.map(parseNetwork);
  }

  /**
   * At `register` a public name that does not resolve is accepted, since its DNS may follow later; a name whose servers do not answer is refused. At
   * `send` both are a `dns_error`. Throws ForbiddenUrlError, or the reason of an aborted signal.
   */
  async check(text: string, purpose: 'register' | 'send', signal?: AbortSignal): Promise<GuardedUrl> {
    const url = parse(text);
    const objection = this.objection(url);
    if (objection !== null && this.networks.length === 0) throw blocked(objection);
    const checked = await this.checkHost(url.hostname, purpose, signal);
    if (objection !== null && !(checked.length > 0 && checked.every(isOperatorAllowed)))
      throw blocked(objection);
    this.remember(url.hostname, checked);
    return { url, addresses: checked.map(({ address, family }) => ({ address, family })) };
  }

  /** Host by which sends to a URL are bounded, and whether a check has found it in an allowed network. */
  boundedHost(text: string): { host: string; isAllowed: boolean } {
    if (!URL.canParse(text)) return { host: text, isAllowed: false };
    const host = canonicalName(new URL(text).hostname);
    const literal = parseLiteral(host);
    return {
      host,
      isAllowed: literal ? isOperatorAllowed(this.verdictOf(literal)) : this.allowedNames.has(host),
    };
  }

  private remember(hostname: string, checked: readonly CheckedAddress[]): void {
    this.allowedNames.delete(hostname);
    if (checked.length > 0 && checked.every(isOperatorAllowed)) this.allowedNames.add(hostname);
    if (this.allowedNames.size > MAX_ALLOWED_NAMES)
      this.allowedNames.delete(this.allowedNames.values().next().value!);
  }

  /** Objection to a URL's scheme or port; it does not apply to hosts in an allowed network. */
  private objection(url: URL): string | null {
    if (this.options.requireHttps && url.protocol !== 'https:') return 'The URL must start with https://.';
    if (isDeniedPort(url.port))
      return `Port ${url.port} is not open to webhooks: use 443 or another web port.`;
    return null;
  }

  private async checkHost(
    hostname: string,
    purpose: 'register' | 'send',
    signal?: AbortSignal,
  ): Promise<CheckedAddress[]> {
    const literal = parseLiteral(hostname);
    if (literal) return [this.checkLiteral(literal)];
    const name = checkName(hostname);
    if (name === 'invalid') throw blocked(`The host "${hostname}" is not a valid DNS name.`);
    if (name === 'metadata') throw blocked('The host is a cloud metadata service: use a host of your own.');
    if (name === 'loopback') {
      const allowed = LOOPBACK.map((address) => this.verdictOf(address)).filter(isOperatorAllowed);
      if (allowed.length === 0) throw localName(hostname);
      return allowed;
    }
    if (name === 'local' && this.networks.length === 0) throw localName(hostname);
    const addresses = await this.lookUp(hostname, signal);
    if (addresses === null || addresses.length === 0) {
      if (addresses !== null && purpose === 'register') {
        if (name === 'local') throw localName(hostname);
        return [];
      }
      const trouble =
        addresses === null ? 'did not get an answer from its name servers in time' : 'does not resolve';
      throw new ForbiddenUrlError(
        'dns_error',
        `The host "${hostname}" ${trouble}: check its DNS records and try again.`,
      );
    }
    if (addresses.length > MAX_ADDRESSES) {
      throw blocked(`The host "${hostname}" must resolve to at most ${MAX_ADDRESSES} addresses.`);
    }
    const checked = addresses.map((address) => this.verdictOf(address));
    if (name === 'local' && !checked.every(isOperatorAllowed)) throw localName(hostname);
    if (!checked.every(({ verdict }) => verdict.kind === 'public' || verdict.kind === 'operator')) {
      throw blocked(`The host "${hostname}" must resolve to public addresses only.`);
    }
    return checked;
  }

  private checkLiteral(literal: ResolvedAddress): CheckedAddress {
    const checked = this.verdictOf(literal);
    if ('description' in checked.verdict) {
      throw blocked(
        `The address ${literal.address} is ${checked.verdict.description}: use a host with a public address.`,
      );
    }
    return checked;
  }

  private verdictOf(resolved: ResolvedAddress): CheckedAddress {
    return { ...resolved, verdict: checkAddress(resolved.address, this.networks) };
  }

  /** @returns all addresses, none when the name does not resolve, null when there was no answer in time */
  private async lookUp(hostname: string, signal?: AbortSignal): Promise<ResolvedAddress[] | null> {
    signal?.throwIfAborted();
    // Concurrent sends to one receiver share a lookup: name servers leave bursts unanswered.
    let shared = this.lookups.get(hostname);
    if (!shared) {
      shared = this.boundedLookUp(hostname).finally(() => this.lookups.delete(hostname));
      this.lookups.set(hostname, shared);
    }
    if (!signal) return shared;
    let giveUp = (): void => {};
    const aborted = new Promise<never>((_, reject) => {
      giveUp = () => reject(signal.reason as Error);
    });
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      return await Promise.race([shared, aborted]);
    } finally {
      // A signal outlives many checks.
      signal.removeEventListener('abort', giveUp);
    }
  }

  private boundedLookUp(hostname: string): Promise<ResolvedAddress[] | null> {
    const { resolve, resolveTimeoutMs = 2_000 } = this.options;
    const bound = AbortSignal.timeout(resolveTimeoutMs);
    // The race enforces the limit, not the signal: a resolver that ignores its signal must not delay a delivery.
    return Promise.race([resolve(hostname, bound), rejectOnAbort(bound)]).catch(unresolvedOrSilent);
  }
}

function parse(text: string): URL {
  const url = parseReceiverUrl(text);
  if (typeof url === 'string') throw new ForbiddenUrlError('blocked_address', url, 'parse');
  url.hostname = canonicalName(url.hostname);
  return url;
}

/** The URL parser has normalised every spelling of an IPv4 address, and IPv6 is in brackets. */
function parseLiteral(hostname: string): ResolvedAddress | null {
  const address = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  const parsed = parseAddress(address);
  return parsed && { address, family: parsed.family };
}

function unresolvedOrSilent(error: unknown): ResolvedAddress[] | null {
  return UNRESOLVED.has(String((error as { code?: unknown } | null)?.code)) ? [] : null;
}

function isOperatorAllowed({ verdict }: CheckedAddress): boolean {
  return verdict.kind === 'operator';
}

function blocked(reason: string): ForbiddenUrlError {
  return new ForbiddenUrlError('blocked_address', reason);
}

function localName(hostname: string): ForbiddenUrlError {
  return blocked(`The host "${hostname}" is a local name: use a public host name.`);
}
