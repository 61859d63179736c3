import eslint from '@eslint/js';
import prettier from 'eslint-config-prettier';
import boundaries from 'eslint-plugin-boundaries';
import redos from 'eslint-plugin-redos';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** A folder of the source, as the import rules see it: anchored at the root, so that no folder of the same name elsewhere counts. */
const folder = (type, pattern = `src/${type}`) => ({ type, pattern, partialMatch: false });

/** The most specific first: the first pattern that matches names a file's element. */
const elements = [
  folder('config'),
  folder('telemetry'),
  { ...folder('module', 'src/domain/*'), capture: ['module'] },
  folder('domain'),
  folder('contracts-shared', 'src/contracts/shared'),
  folder('contracts-partner', 'src/contracts/partner'),
  folder('contracts-sandbox', 'src/contracts/sandbox'),
  folder('http'),
  folder('database'),
  folder('jobs'),
  folder('cli'),
  folder('console', 'console'),
  folder('test', 'test'),
  folder('executor', 'executor/src'),
  folder('clients', 'sdk/src/generated'),
  folder('sdk', 'sdk/src'),
];

const files = [
  {
    category: 'entry',
    pattern: [
      'src/main.ts',
      'src/application.ts',
      'src/app.module.ts',
      'src/process.module.ts',
      'src/start-failure.ts',
      'src/traces.ts',
      'src/accounts.*.ts',
      'src/worker.*.ts',
    ],
  },
  { category: 'entity', pattern: 'src/domain/**/*.entity.ts' },
  { category: 'spec', pattern: ['src/**/*.spec.ts', 'test/**/*.ts'] },
];

const of = (...types) => types.map((type) => ({ element: { type } }));
/** The modules of the domain, the lowest first: one imports those below it, so there is no circle. */
const MODULES = ['kernel', 'outbound', 'tenants', 'markets', 'books', 'routing', 'reporting', 'cycle'];
const modules = (...names) => names.map((module) => ({ element: { type: 'module', captured: { module } } }));
const ENTITIES = [{ file: { categories: 'entity' } }];
const ENTRY = [{ file: { categories: 'entry' } }];
const SPEC = [{ file: { categories: 'spec' } }];
const DOMAIN = of('domain', 'module');
const SQL = ['typeorm', 'pg', 'graphile-worker'];

const may = (from, ...to) => ({ from, allow: { to: to.flat() } });
const never = (from, packages, message) => ({
  from,
  disallow: { to: { module: { origin: 'external', source: packages } } },
  message,
});

/** Who may import whom. What is not named here is refused. */
const policies = [
  { from: { element: { isIgnored: false } }, allow: { to: { module: { origin: ['external', 'core'] } } } },
  may(of('telemetry'), of('config')),
  may(of('domain'), DOMAIN, of('config')),
  ...MODULES.map((name, at) => may(modules(name), modules(...MODULES.slice(0, at + 1)), of('config'))),
  may(of('database'), ENTITIES, modules('kernel'), of('config', 'telemetry')),
  may(of('http'), of('config', 'telemetry'), modules('kernel', 'tenants')),
  may(of('contracts-shared'), DOMAIN, of('http', 'config')),
  may(of('contracts-partner', 'contracts-sandbox'), of('contracts-shared', 'http', 'config'), DOMAIN),
  may(of('jobs'), DOMAIN, of('config', 'database', 'telemetry')),
  may(of('cli'), DOMAIN, of('config', 'database', 'telemetry'), ENTRY),
  may(ENTRY, [{ module: { origin: 'local' } }]),
  never(
    DOMAIN,
    [
      '@nestjs/!(common)',
      'express',
      'helmet',
      'class-validator',
      'class-transformer',
      'graphile-worker',
      'commander',
    ],
    'The domain knows neither HTTP nor wire formats nor commands: {{ to.module.source }} belongs to another folder.',
  ),
  never(
    [...of('http'), ...of('contracts-shared', 'contracts-partner', 'contracts-sandbox')],
    SQL,
    'Only the domain, its jobs and the database folder talk to PostgreSQL: call a domain service instead of {{ to.module.source }}.',
  ),
  {
    from: [...of('*'), ...ENTRY],
    disallow: { to: [...SPEC, ...of('test', 'console', 'executor', 'clients')] },
    message: 'The server imports neither its tests nor its console.',
  },
  may(SPEC, of('test')),
  may(of('test'), [{ module: { origin: 'local' } }]),
  may(of('console'), of('console', 'clients')),
];

const NODE_GLOBALS = Object.fromEntries(
  Object.getOwnPropertyNames(globalThis).map((name) => [name, 'readonly']),
);

export default defineConfig(
  {
    ignores: [
      'dist/',
      'dist.*/',
      'console/dist/',
      'console/dist.*/',
      'coverage/',
      '.data/',
      'sdk/dist/',
      'executor/dist/',
      'sdk/src/generated/',
    ],
  },
  eslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // `async` makes a method of an interface fail by rejecting, whether or not it waits for anything.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      'no-console': 'error',
      'no-self-compare': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    // A constructor with more has several jobs.
    files: ['src/**/*.ts'],
    rules: { '@typescript-eslint/max-params': ['error', { max: 10 }] },
  },
  {
    // Bodies of answers are looked into freely: what a test finds there is what it asserts.
    files: ['test/**/*.ts', '**/*.spec.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            "CallExpression[callee.object.name='Object'][callee.property.name='assign'][arguments.0.type!='NewExpression']",
          message: 'It takes any name: use change() of test/support/change.ts.',
        },
      ],
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    // It runs in browsers too, and is published without the server.
    files: ['sdk/src/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['node:*', '../../*', '@vaultline/*'],
              message: 'The SDK has its own files and openapi-fetch.',
            },
          ],
        },
      ],
    },
  },
  {
    // A process of its own, which holds the key: it knows the server by its API alone.
    files: ['executor/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            { group: ['../../*', '**/sdk/**'], message: 'The executor knows the API by @vaultline/sdk.' },
          ],
        },
      ],
    },
  },
  { files: ['**/*.mjs'], languageOptions: { globals: NODE_GLOBALS } },
  {
    // Expressions over text of others are linear in its length. What the check cannot decide in time counts as worse.
    files: [
      'src/**/*.ts',
      'sdk/src/**/*.ts',
      'console/**/*.{ts,tsx}',
      'executor/src/**/*.ts',
      'test/conformance/**/*.ts',
    ],
    ignores: ['**/*.spec.ts'],
    plugins: { redos },
    rules: { 'redos/no-vulnerable': ['error', { ignoreErrors: false }] },
  },
  {
    files: ['src/**/*.ts', 'test/**/*.ts', 'console/**/*.{ts,tsx}'],
    plugins: { boundaries },
    settings: {
      'boundaries/root-path': import.meta.dirname,
      'boundaries/elements': elements,
      'boundaries/files': files,
      'boundaries/additional-dependency-nodes': [
        { selector: 'TSImportType > Literal', kind: 'type', name: 'import-type' },
      ],
      'boundaries/legacy-templates': false,
      'import/resolver': { typescript: { project: `${import.meta.dirname}/tsconfig.json` }, node: true },
    },
    rules: {
      'boundaries/dependencies': [
        'error',
        { default: 'disallow', checkAllOrigins: true, checkUnknownLocals: true, policies },
      ],
      'boundaries/no-unknown-files': 'error',
      'boundaries/no-unknown-dependencies': 'error',
    },
  },
  {
    files: ['src/domain/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: '@nestjs/common',
              allowImportNames: [
                'DynamicModule',
                'Global',
                'Inject',
                'Injectable',
                'Module',
                'Optional',
                'Provider',
              ],
              message: 'The domain takes injection from Nest and nothing of HTTP: throw a DomainError.',
            },
          ],
        },
      ],
    },
  },
  prettier,
);
