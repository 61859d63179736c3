import { Resolver } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';

import type { ResolvedAddress } from './url-guard.js';

const TRIES = 2;
/** How long the second family may delay the first: some name servers never answer AAAA queries. */
const SECOND_FAMILY_MS = 300;

/**
 * Resolver that asks name servers for both address families at once. `dns.lookup` is avoided for two reasons: it runs getaddrinfo on the four threads
 * of libuv's pool, where a few names with dead servers block every other lookup and file access of the process; and it applies the search domains of
 * resolv.conf, which turn a public name into one inside the cluster. Neither /etc/hosts nor mDNS is read here.
 */
@Injectable()
export class SystemResolver {
  /** Name servers to ask instead of the host's, as `address:port`. */
  servers: readonly string[] = [];
  /** Wait for an answer, ms. c-ares doubles it at the second try; both together stay near the guard's limit of 2 s. */
  timeoutMs = 500;

  /** When only one family answers, its addresses are the result: nothing else is connected to. @throws Error with a c-ares `code` */
  async resolve(hostname: string, signal: AbortSignal): Promise<ResolvedAddress[]> {
    signal.throwIfAborted();
    // A resolver for each lookup: cancel() ends all queries of an instance, so a shared one would end those of other lookups.
    const resolver = new Resolver({ timeout: this.timeoutMs, tries: TRIES });
    if (this.servers.length > 0) resolver.setServers(this.servers);
    const cancel = (): void => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    let patience: NodeJS.Timeout | undefined;
    try {
      const queries = [resolver.resolve4(hostname), resolver.resolve6(hostname)] as const;
      Promise.any(queries).then(
        () => (patience = setTimeout(cancel, SECOND_FAMILY_MS)),
        () => {},
      );
      const [v4, v6] = await Promise.allSettled(queries);
      const addresses: ResolvedAddress[] = [
        ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 as const })) : []),
        ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 as const })) : []),
      ];
      if (addresses.length === 0) throw errorToReport([v4, v6]);
      return addresses;
    } finally {
      clearTimeout(patience);
      signal.removeEventListener('abort', cancel);
    }
  }
}

/** Error to report: a timeout takes precedence over "no such name", because it leaves the answer unknown, which the guard treats more strictly. */
function errorToReport(outcomes: readonly PromiseSettledResult<string[]>[]): unknown {
  const reasons = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
  );
  return (
    reasons.find(isSilence) ?? reasons[0] ?? Object.assign(new Error('No addresses'), { code: 'ENODATA' })
  );
}

function isSilence(reason: unknown): boolean {
  const code = (reason as { code?: unknown } | null)?.code;
  return code === 'ETIMEOUT' || code === 'ECANCELLED';
}
