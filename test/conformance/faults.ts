import type { Fault } from './breaking.proxy.js';

/** A fault of a server, and the rule that finds it. */
export interface KnownFault {
  /** What such a server does. */
  does: string;
  rule: string;
  /** Anew for each run: some remember what they saw. */
  make: () => Fault;
}

const isCreation = (path: string, method: string, of: string): boolean => method === 'POST' && path === of;

export const FAULTS: readonly KnownFault[] = [
  {
    does: 'sends no X-Request-Id',
    rule: 'answers.request-id',
    make: () => ({ answered: ({ headers }) => void delete headers['x-request-id'] }),
  },
  {
    does: 'answers a creation with 200',
    rule: 'users.created',
    make: () => ({
      answered: (answer, { method, path }) => {
        if (isCreation(path, method, '/users') && answer.status === 201) answer.status = 200;
      },
    }),
  },
  {
    does: 'forgets a field',
    rule: 'answers.documented',
    make: () => ({
      answered: ({ body }, { method, path }) => {
        if (isCreation(path, method, '/users')) delete body.data?.metadata;
      },
    }),
  },
  {
    does: 'repeats a row on page two',
    rule: 'paging.chain-users',
    make: () => {
      let last: unknown;
      return {
        answered: ({ body }, { path }) => {
          if (!path.startsWith('/partner/users') || !body.data?.length) return;
          if (path.includes('cursor=') && last !== undefined) body.data.splice(0, 1, last);
          last = body.data.at(-1);
        },
      };
    },
  },
  {
    does: 'ignores the Idempotency-Key',
    rule: 'idempotency.replay',
    make: () => ({ asked: ({ headers }) => void delete headers['idempotency-key'] }),
  },
  {
    does: 'shows a secret twice',
    rule: 'webhooks.secret-once',
    make: () => {
      const secrets = new Map<string, string>();
      return {
        answered: ({ body }, { method, path }) => {
          if (isCreation(path, method, '/webhooks')) secrets.set(body.data?.id, body.data?.secret);
          else if (method === 'GET' && path.startsWith('/webhooks?'))
            for (const hook of body.data ?? []) hook.secret = secrets.get(hook.id) ?? hook.secret;
        },
      };
    },
  },
  {
    does: "answers another partner's record",
    rule: 'access.others-records',
    make: () => {
      const owners = new Map<string, string>();
      const owned = /^\/users\/(usr_\w+)\/ledger$/;
      return {
        asked: ({ headers, path }) => {
          const owner = owners.get(owned.exec(path)?.[1] ?? '');
          if (owner) headers.authorization = owner;
        },
        answered: ({ body }, { method, path, headers }) => {
          if (isCreation(path, method, '/users')) owners.set(body.data?.id, headers.authorization ?? '');
        },
      };
    },
  },
  {
    does: 'gives an error the code of another',
    rule: 'errors.route-not-found',
    make: () => ({
      answered: ({ body }) => {
        if (body.error?.code === 'route_not_found') body.error.code = 'not_found';
      },
    }),
  },
  {
    does: 'signs with another secret than it showed',
    rule: 'webhooks.signature',
    make: () => ({
      answered: ({ body }, { method, path }) => {
        if (isCreation(path, method, '/webhooks') && body.data) body.data.secret = `whsec_${'A'.repeat(43)}=`;
      },
    }),
  },
  {
    does: 'takes unknown fields',
    rule: 'errors.unknown-field',
    make: () => ({
      asked: ({ body }) => {
        if (typeof body === 'object') delete body?.conformance_unknown;
      },
    }),
  },
];
