import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ENDS } from '../support/child-environment.js';

jest.setTimeout(60_000);

/** One file of each kind that could be imported. */
const TARGETS = {
  config: 'src/config/settings.ts',
  telemetry: 'src/telemetry/logger.ts',
  database: 'src/database/connection.ts',
  kernel: 'src/domain/kernel/store/store.ts',
  outbound: 'src/domain/outbound/webhooks/event.service.ts',
  tenants: 'src/domain/tenants/users/user.service.ts',
  entity: 'src/domain/tenants/users/user.entity.ts',
  markets: 'src/domain/markets/hours/market.service.ts',
  books: 'src/domain/books/positions/position.service.ts',
  routing: 'src/domain/routing/allocation/routing.service.ts',
  reporting: 'src/domain/reporting/report.service.ts',
  cycle: 'src/domain/cycle/hourly-cycle.service.ts',
  domain: 'src/domain/domain.module.ts',
  http: 'src/http/answer/http-error.ts',
  shared: 'src/contracts/shared/introduction.ts',
  partner: 'src/contracts/partner/partner-contract.module.ts',
  sandbox: 'src/contracts/sandbox/sandbox-contract.module.ts',
  jobs: 'src/jobs/worker.ts',
  cli: 'src/cli/quickstart.ts',
  entry: 'src/app.module.ts',
  console: 'console/src/api/contract.ts',
  clients: 'sdk/src/generated/partner.ts',
  test: 'test/support/api.ts',
  spec: 'src/domain/outbound/webhooks/signature.spec.ts',
} as const;
type Target = keyof typeof TARGETS;

/** Modules of the domain, the lowest first; an entity is a file of the second. */
const MODULES: Target[] = [
  'kernel',
  'outbound',
  'tenants',
  'entity',
  'markets',
  'books',
  'routing',
  'reporting',
  'cycle',
];
const upTo = (module: Target): Target[] => MODULES.slice(0, MODULES.indexOf(module) + 1);
const DOMAIN: Target[] = [...MODULES, 'domain'];

/** Which targets a folder may import, by the folder of the importing file. Every other import is refused. */
const ALLOWED: Record<string, Target[]> = {
  'src/config': ['config'],
  'src/telemetry': ['telemetry', 'config'],
  'src/database': ['database', 'config', 'telemetry', 'entity', 'kernel'],
  'src/database/migrations': ['database', 'config', 'telemetry', 'entity', 'kernel'],
  'src/domain': [...DOMAIN, 'config'],
  'src/domain/kernel': [...upTo('kernel'), 'config'],
  // Between the files of one module the rules decide nothing, so it reaches its own spec.
  'src/domain/outbound/webhooks': [...upTo('outbound'), 'config', 'spec'],
  'src/domain/tenants': [...upTo('entity'), 'config'],
  'src/domain/markets/a-new-folder': [...upTo('markets'), 'config'],
  'src/domain/books': [...upTo('books'), 'config'],
  'src/domain/routing': [...upTo('routing'), 'config'],
  'src/domain/reporting': [...upTo('reporting'), 'config'],
  'src/domain/cycle': [...upTo('cycle'), 'config'],
  'src/domain/a-ninth-module': [],
  'src/http': ['http', 'config', 'telemetry', 'kernel', 'tenants', 'entity'],
  'src/http/openapi': ['http', 'config', 'telemetry', 'kernel', 'tenants', 'entity'],
  'src/contracts/shared': ['shared', 'http', 'config', ...DOMAIN],
  'src/contracts/partner': ['partner', 'shared', 'http', 'config', ...DOMAIN],
  'src/contracts/sandbox': ['sandbox', 'shared', 'http', 'config', ...DOMAIN],
  'src/jobs': ['jobs', 'config', 'database', 'telemetry', ...DOMAIN],
  'console/src': ['console', 'clients'],
  'console/src/screens/decisions': ['console', 'clients'],
  'src/cli': ['cli', 'config', 'database', 'telemetry', 'entry', ...DOMAIN],
};

const PACKAGES = [
  '@nestjs/core',
  '@nestjs/platform-express',
  '@nestjs/swagger',
  'class-validator',
  'express',
  'graphile-worker',
  'pg',
  'typeorm',
];

/** Packages that a folder must not import. */
const FORBIDDEN_PACKAGES: Record<string, string[]> = {
  'src/domain/tenants': [
    '@nestjs/core',
    '@nestjs/platform-express',
    '@nestjs/swagger',
    'class-validator',
    'express',
    'graphile-worker',
  ],
  'src/contracts/shared': ['graphile-worker', 'pg', 'typeorm'],
  'src/contracts/partner': ['graphile-worker', 'pg', 'typeorm'],
  'src/contracts/sandbox': ['graphile-worker', 'pg', 'typeorm'],
  'src/http': ['graphile-worker', 'pg', 'typeorm'],
  'src/jobs': [],
};

/** Files that read text of others. */
const READERS = [
  'src/http/virtual.ts',
  'src/domain/markets/virtual.ts',
  'src/config/virtual.ts',
  'sdk/src/virtual.ts',
  'console/src/virtual.ts',
  'test/conformance/virtual.ts',
];

/** The first four take time in the square of a text's length, or worse. */
const EXPRESSIONS = [
  String.raw`export const restarted = /"[^"\\]*(?:\\.[^"\\]*)*"/g;`,
  String.raw`export const exchanged = /^\S+@\S+$/;`,
  String.raw`export const atTheEnd = /\/+$/;`,
  String.raw`export const nested = new RegExp('^(a+)+$');`,
  String.raw`export const sticky = /"[^"\\]*(?:\\.[^"\\]*)*"/y;`,
  String.raw`export const anchored = /^0x(?:[0-9a-f]{2})*$/;`,
];

interface VirtualFile {
  path: string;
  text: string;
}

/** @returns for each file the numbers of the lines that a rule of ours refuses, from 1 */
function lint(files: readonly VirtualFile[]): number[][] {
  const run = spawnSync(process.execPath, ['test/architecture/lint.mjs'], {
    input: JSON.stringify(files),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    ...ENDS,
  });
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout) as number[][];
}

/** A file in the folder with one import of each source, one a line. */
function importing(folder: string, sources: readonly string[], name = 'virtual.ts'): VirtualFile {
  const lines = sources.map((source, index) => `import * as it${index} from '${source}';`);
  return { path: join(folder, name), text: `${lines.join('\n')}\n` };
}

const specifier = (folder: string, target: string): string => {
  const path = relative(folder, target).replace(/\.ts$/, '.js');
  return path.startsWith('.') ? path : `./${path}`;
};

const targets = Object.keys(TARGETS) as Target[];

const all = (folder: string): VirtualFile =>
  importing(
    folder,
    targets.map((target) => specifier(folder, TARGETS[target])),
  );
const domain = (text: string): VirtualFile => ({ path: 'src/domain/tenants/virtual.ts', text });
const entry = all('src');

const constructorOf = (parameters: number): string =>
  `export class Wide { constructor(${Array.from({ length: parameters }, (_, index) => `private readonly p${index}: string`).join(', ')}) {} }`;

/** All files are linted in one run: starting ESLint costs more than linting them. */
const QUESTIONS = {
  folders: Object.fromEntries(Object.keys(ALLOWED).map((folder) => [folder, all(folder)])),
  packages: Object.fromEntries(
    Object.keys(FORBIDDEN_PACKAGES).map((folder) => [folder, importing(folder, PACKAGES)]),
  ),
  forms: {
    named: domain(`import { unavailable } from '../../http/http-error.js';`),
    type: domain(`import type { HttpError } from '../../http/http-error.js';`),
    dynamic: domain(`export const load = () => import('../../http/http-error.js');`),
    exported: domain(`export { unavailable } from '../../http/http-error.js';`),
    all: domain(`export * from '../../http/http-error.js';`),
    inType: domain(`export type R = import('../../http/http-error.js').HttpError;`),
    missing: domain(`import { nothing } from './no-such-file.js';`),
    exception: domain(`import { NotFoundException } from '@nestjs/common';`),
    injection: domain(`import { Inject, Injectable, Module } from '@nestjs/common';`),
    folder: { path: 'src/utils/virtual.ts', text: 'export const nothing = 1;\n' },
    file: { path: 'src/virtual.ts', text: 'export const nothing = 1;\n' },
    main: { ...entry, path: 'src/main.ts' },
    application: { ...entry, path: 'src/application.ts' },
    module: { ...entry, path: 'src/app.module.ts' },
    spec: importing(
      'src/domain/tenants',
      ['../../../test/support/api.js', '../../http/http-error.js'],
      'virtual.spec.ts',
    ),
  },
  constructors: { ten: domain(constructorOf(10)), eleven: domain(constructorOf(11)) },
  expressions: {
    ...Object.fromEntries(READERS.map((path) => [path, { path, text: EXPRESSIONS.join('\n') }])),
    'src/domain/tenants/virtual.spec.ts': {
      path: 'src/domain/tenants/virtual.spec.ts',
      text: EXPRESSIONS.join('\n'),
    },
  },
} satisfies Record<string, Record<string, VirtualFile>>;

type Refused = Record<string, number[]>;

function ask(): Record<keyof typeof QUESTIONS, Refused> {
  const groups = Object.entries<Record<string, VirtualFile>>(QUESTIONS);
  const answers = lint(groups.flatMap(([, group]) => Object.values(group)));
  const answered = groups.map(([name, group]): [string, Refused] => {
    const groupAnswers = answers.splice(0, Object.keys(group).length);
    return [name, Object.fromEntries(Object.keys(group).map((key, index) => [key, groupAnswers[index]!]))];
  });
  return Object.fromEntries(answered) as Record<keyof typeof QUESTIONS, Refused>;
}

let refused: ReturnType<typeof ask>;
beforeAll(() => {
  refused = ask();
});

describe('the rule on regular expressions', () => {
  it('The rule on regular expressions refuses those that are not linear in the length of a text, wherever text of others is read', () => {
    const spec = 'src/domain/tenants/virtual.spec.ts';
    expect(refused.expressions).toEqual({
      ...Object.fromEntries(READERS.map((path) => [path, [1, 2, 3, 4]])),
      [spec]: [],
    });
  });
});

describe('the rule on parameters', () => {
  it('The rule on parameters refuses a constructor with more than ten', () => {
    expect(refused.constructors).toEqual({ ten: [], eleven: [1] });
  });
});

describe('the import rules', () => {
  it('The import rules are tested with files that exist', () => {
    expect(Object.values(TARGETS).filter((path) => !existsSync(path))).toEqual([]);
  });

  it('The import rules permit each folder the imports in the table, and refuse all others', () => {
    const reported = Object.entries(refused.folders).map(([folder, lines]) => [
      folder,
      targets.filter((_, index) => !lines.includes(index + 1)).sort(),
    ]);
    const expected = Object.entries(ALLOWED).map(([folder, allowed]) => [folder, [...allowed].sort()]);
    expect(Object.fromEntries(reported)).toEqual(Object.fromEntries(expected));
  });

  it('The import rules refuse the forbidden packages of a folder', () => {
    const reported = Object.entries(refused.packages).map(([folder, lines]) => [
      folder,
      lines.map((line) => PACKAGES[line - 1]),
    ]);
    expect(Object.fromEntries(reported)).toEqual(FORBIDDEN_PACKAGES);
  });

  it('The import rules detect every form of import, and refuse HTTP exceptions in the domain and unknown folders', () => {
    const tests = (['console', 'clients', 'test', 'spec'] as const).map((name) => targets.indexOf(name) + 1);
    expect(refused.forms).toEqual({
      named: [1],
      type: [1],
      dynamic: [1],
      exported: [1],
      all: [1],
      inType: [1],
      missing: [1],
      exception: [1],
      injection: [],
      folder: [1],
      file: [1],
      main: tests,
      application: tests,
      module: tests,
      spec: [2],
    });
  });
});
