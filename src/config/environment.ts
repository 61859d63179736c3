import { resolve } from 'node:path';
import type * as z from 'zod';
import { accountList } from './chains.js';
import { CONTRACTS, DEPLOYMENTS } from './deployments.js';
import {
  databaseUrl,
  flagText,
  form,
  fractionText,
  networks,
  oneOf,
  onOff,
  orNone,
  orNull,
  secretsKey,
  webAddress,
  webAddresses,
  wholeText,
} from './setting-kinds.js';

/** Role of a process: it answers requests, runs jobs, or both. */
export const ROLES = ['all', 'api', 'worker'] as const;
export type Role = (typeof ROLES)[number];

/** Source of the live contract's yields. */
export const YIELDS = ['live', 'simulated'] as const;

/** How moves are settled in the books: `instant`, by the decision itself; or `reported`, by reports of the executor. */
export const SETTLEMENTS = ['instant', 'reported'] as const;
export type ExecutionMode = (typeof SETTLEMENTS)[number];

/** State that a database connection keeps between transactions: `session` all of it, `transaction` none, as behind PgBouncer in transaction mode. */
const POOLINGS = ['session', 'transaction', 'transaction_named'] as const;
export type PoolingMode = (typeof POOLINGS)[number];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Samplers by OpenTelemetry's names. A caller's trace context never decides, so the parent-based ones equal the others. */
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type Sampler = (typeof SAMPLERS)[number];

/** Each RPC URL of a chain is asked in every pass. */
const MOST_RPC_URLS = 8;

const says = <T extends z.ZodType>(type: T, meaning: string, unset?: string): T =>
  type.meta({ says: meaning, ...(unset !== undefined && { unset }) });

const secret = <T extends z.ZodType>(type: T, meaning: string, unset?: string): T =>
  says(type, meaning, unset).meta({ secret: true });

const listenAddress = () => form(/^[\w.:-]{1,253}$/, 'an address or host name to listen on');
const port = (min: number) => wholeText(min, 65_535);
const perMinute = () => wholeText(0, 10_000_000);
const rpcUrls = (chain: string) =>
  secret(
    orNull(webAddresses(MOST_RPC_URLS)),
    `RPC URLs of ${chain}, private ones too: [live.md](live.md#yields-from-the-chain).`,
  );
const custodyAccounts = (chain: string) =>
  says(
    orNull(accountList()),
    `Accounts on ${chain} that hold the funds, with shared custody: [live.md](live.md#reserves).`,
  );

/** Settings of the environment, in the order of the reference. The variable of `databaseUrl` is DATABASE_URL. */
export const ENVIRONMENT = {
  contract: says(orNull(oneOf(CONTRACTS)), 'The contract that is served.', 'required'),
  role: says(
    oneOf(ROLES).default('all'),
    'What the process does: `api` answers requests, `worker` runs jobs, `all` does both. See [Requests and jobs](operations.md#requests-and-jobs).',
  ),
  host: says(listenAddress().default('0.0.0.0'), 'Address to listen on.'),
  port: says(port(0).default(3000), 'Port to listen on; 0 takes a free one.'),
  partnerPort: says(
    port(1).default(DEPLOYMENTS.partner.start.port),
    'Port of the partner contract under `npm start`, in place of `PORT`.',
  ),
  sandboxPort: says(
    port(1).default(DEPLOYMENTS.sandbox.start.port),
    'Port of the sandbox contract under `npm start`.',
  ),
  databaseUrl: secret(
    orNull(databaseUrl()),
    'PostgreSQL 15 or later. Required in production. Its file is read again for each new connection ([A changed password](operations.md#a-changed-password)).',
    'the embedded server',
  ),
  databaseMigrationUrl: secret(
    orNull(databaseUrl()),
    'The same database with the role that owns the schemas, for `vaultline migrate` alone. See [Database roles](operations.md#database-roles).',
  ),
  databasePooling: says(
    oneOf(POOLINGS).default('session'),
    '`transaction`: `DATABASE_URL` is a pooler in transaction mode. `transaction_named`: the same, and the pooler keeps named statements (PgBouncer from 1.21 on). See [Poolers](operations.md#poolers).',
  ),
  databaseDirectUrl: secret(
    orNull(databaseUrl()),
    'The database without the pooler, for LISTEN and migrations. Required with a pooler in transaction mode. Its file is read again for each new connection.',
    '`DATABASE_URL`',
  ),
  databasePoolSize: says(
    wholeText(2, 500).default(10),
    'Connections of a process; the queue of one that runs jobs adds 4. See [Connections](operations.md#connections).',
  ),
  databaseMaxBytes: says(
    orNull(wholeText(1_000_000, 100_000_000_000_000, 'a whole number of bytes')),
    'Size of the database beyond which writes are refused. Unset, they stop when the disk is full. See [Storage](operations.md#storage).',
  ),
  dataDir: says(
    form(/^.+$/s, 'a folder')
      .overwrite((folder) => resolve(folder))
      .prefault('.data'),
    'Folder of the embedded database and the generated secrets key. Not used in production.',
    '`.data`',
  ),
  bootstrapAdminKey: secret(
    orNull(form(/^.+$/s, 'a full API key of this environment')),
    'See [The first administrator](operations.md#the-first-administrator).',
  ),
  secretsKey: secret(
    orNull(secretsKey('32 bytes in base64 (openssl rand -base64 32)')),
    'Encrypts signing secrets and stored answers. Required in production; a changed key stops the start. See [The secrets key](operations.md#the-secrets-key).',
    'made once, in `DATA_DIR`',
  ),
  secretsKeyPrevious: secret(
    orNull(secretsKey('32 bytes in base64')),
    'The previous key, beside a new `SECRETS_KEY`, until `vaultline secrets rotate` has finished. See [A new secrets key](operations.md#a-new-secrets-key).',
  ),
  publicUrl: says(
    orNull(webAddress('https://api.example.com')),
    'Base URL in the served OpenAPI document and in `Link` headers, without `/api/v1`.',
    'a relative one',
  ),
  docs: says(
    onOff().default(true),
    '`off`: `/docs` and `/openapi.json` are not served. See [Documentation pages](operations.md#documentation-pages).',
    '`on`',
  ),
  console: says(
    onOff().default(true),
    '`off`: `/console` is not served. See [Console](operations.md#console).',
    '`on`',
  ),
  yields: says(
    orNull(oneOf(YIELDS)),
    'Yields of the partner contract. `simulated`: a seeded simulated market, set by `npm start` on its embedded database. Refused under `NODE_ENV=production`, and on a database with yields of the other kind.',
    '`live`',
  ),
  settlement: says(
    orNull(oneOf(SETTLEMENTS)),
    'How moves of the partner contract settle: `instant`, by the decision, or `reported`, as an order that an executor [reports](live.md#move-orders). The sandbox accepts only `instant`. [Shared](operations.md#settings-that-all-processes-share).',
    '`reported`; `instant` with `YIELDS=simulated`',
  ),
  defillamaBaseUrl: says(
    webAddress('https://yields.llama.fi').default('https://yields.llama.fi'),
    'Public yields API of DefiLlama, or a proxy or mirror of it, read hourly.',
  ),
  rpcUrlEthereum: rpcUrls('Ethereum'),
  rpcUrlArbitrum: rpcUrls('Arbitrum One'),
  rpcUrlBase: rpcUrls('Base'),
  rpcUrlPlasma: rpcUrls('Plasma'),
  custodyAccountsEthereum: custodyAccounts('Ethereum'),
  custodyAccountsArbitrum: custodyAccounts('Arbitrum One'),
  custodyAccountsBase: custodyAccounts('Base'),
  custodyAccountsPlasma: custodyAccounts('Plasma'),
  webhookAllowedNetworks: says(
    networks(0).default([]),
    'Private networks to which webhooks may be sent. See [webhooks.md](webhooks.md#private-receivers).',
  ),
  webhookRequireHttps: says(
    orNull(flagText()),
    'Refuses receivers that are not https, except in allowed networks.',
    '`true` in production, else `false`',
  ),
  webhookTimeoutMs: says(
    wholeText(100, 60_000).default(5000),
    'One deadline over DNS, connect, TLS, headers and body of a send.',
  ),
  rateLimitPerMinute: says(
    perMinute().default(6000),
    'Points a minute of a partner or an unbound key, shared by the API processes; 0 turns the limit off. See [Rate limit](operations.md#rate-limit).',
  ),
  requestsAtOnce: says(
    wholeText(0, 10_000).default(4),
    'Requests in progress of a partner or an unbound key, in one process; 0 turns the limit off. See [Concurrent requests](operations.md#concurrent-requests).',
  ),
  authFailuresPerMinute: says(
    perMinute().default(300),
    'Unknown or revoked keys a minute from one address, in one process; 0 turns the limit off. See [Failed authentications](operations.md#failed-authentications).',
  ),
  trustedProxies: says(
    orNone(networks(1)).default([]),
    'Networks of the proxies whose `X-Forwarded-For` is believed. Required in production. See [Failed authentications](operations.md#failed-authentications).',
    '`none`',
  ),
  managementPort: says(
    orNull(port(1)),
    'Serves `/metrics` on a port of its own. Under `npm start` the sandbox has the next one.',
  ),
  managementHost: says(
    listenAddress().default('127.0.0.1'),
    'Address of the management port, which takes no key: use a private one.',
  ),
  logLevel: says(oneOf(LOG_LEVELS).default('info'), 'Lowest level that is logged.'),
  otelExporterOtlpEndpoint: says(
    orNull(webAddress('http://collector:4318')),
    'Base URL of an OTLP collector; traces go to `/v1/traces` there. Off unless set. See [Traces](observability.md#traces) for further variables.',
  ),
  otelExporterOtlpTracesEndpoint: says(
    orNull(webAddress('http://collector:4318/v1/traces')),
    'The whole URL, in place of that one.',
  ),
  otelTracesSampler: says(
    oneOf(SAMPLERS).default('always_on'),
    '`parentbased_` has no effect: callers do not decide what is sampled.',
  ),
  otelTracesSamplerArg: says(fractionText().default(1), 'Fraction of traces that `traceidratio` records.'),
  otelSdkDisabled: says(flagText().default(false), '`true`: no traces, whatever else is set.', '`false`'),
  // An unknown word would start a server without production's protections.
  nodeEnv: says(
    orNull(oneOf(['production', 'development', 'test'])),
    '`production` requires `DATABASE_URL`, `SECRETS_KEY` and `TRUSTED_PROXIES`, and turns on `WEBHOOK_REQUIRE_HTTPS`. Any other word stops the start.',
  ),
};

/** Values of the environment; null: not set, and without a default. */
export type Environment = z.infer<z.ZodObject<typeof ENVIRONMENT>>;
