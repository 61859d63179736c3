import { expect, it } from '@jest/globals';
import {
  ForbiddenUrlError,
  type HostResolver,
  UrlGuard,
} from '../../src/domain/outbound/egress/url-guard.js';
import { GIVEN, OTHERWISE } from './addresses.rows.js';

const SAID = new Map(GIVEN.map(({ name, said }) => [name, said]));
const resolve: HostResolver = async (host) => {
  const said = SAID.get(host) ?? OTHERWISE;
  if (said === 'silence') return new Promise(() => {});
  return said.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
};
const guard = new UrlGuard({ allowedNetworks: [], requireHttps: false, resolve, resolveTimeoutMs: 100 });

it.each(['register', 'send'] as const)(
  'Each URL of the list is judged as it says, to %s',
  async (purpose) => {
    const verdicts = await Promise.all(
      GIVEN.map(async ({ url }) => {
        try {
          await guard.check(url, purpose);
          return [url, 'allowed'];
        } catch (error) {
          if (!(error instanceof ForbiddenUrlError)) throw error;
          return [url, error.kind];
        }
      }),
    );
    expect(verdicts).toEqual(
      GIVEN.map(({ url, verdict, failure }) => [url, verdict === 'allow' ? 'allowed' : failure]),
    );
  },
);
