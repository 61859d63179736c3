import { readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { type Document, isPair, isScalar, isSeq, parseDocument, visit } from 'yaml';
import type * as z from 'zod';
import { ConfigError } from './config-error.js';
import { camelCased, shownText, snakeCase } from './spelling.js';

/** Problem with a value, and its path: keys, as the program spells them, and list positions from the root. */
export interface Problem {
  path: readonly string[];
  value: unknown;
  reason: string;
  /** Whether the schema lacks the key; then the reason names the nearest one. */
  isUnknown?: boolean;
}

type Tree = Record<string, unknown>;

/** Digits of a number that a double keeps exactly. */
const EXACT_DIGITS = 15;

/** YAML files of one folder, or of anywhere by an absolute path, each overriding the one before it key by key; lists are replaced as a whole. */
export class ConfigFiles {
  readonly merged: Tree;
  private readonly layers: readonly { file: string; tree: Tree }[];

  /** @throws ConfigError for a file that cannot be read, is no YAML mapping, or contains a number with too many digits */
  constructor(folder: string, files: readonly string[]) {
    this.layers = files.map((file) => ({ file: nameOf(file), tree: readTree(folder, file) }));
    this.merged = camelCased(this.layers.map(({ tree }) => tree).reduce(merge, {}));
  }

  /** Error with a line for each problem: file, key path as in the file, value, reason. */
  refusal(problems: readonly Problem[]): ConfigError {
    const written = problems.map((problem) => ({ ...problem, path: problem.path.map(snakeCase) }));
    return new ConfigError(written.map((problem) => `${this.fileOf(problem.path)}: ${line(problem)}`));
  }

  /** The last file that contains the path; for a missing key, the file with the longest part of it. */
  private fileOf(path: readonly string[]): string {
    const depths = this.layers.map(({ file, tree }) => ({ file, depth: depthOf(tree, path) }));
    const deepest = Math.max(...depths.map(({ depth }) => depth));
    const nearest = depths.filter(({ depth }) => depth === deepest).map(({ file }) => file);
    return deepest === path.length ? nearest.at(-1)! : nearest.join(', ');
  }
}

/** Problems of a tree by the schema's errors. Several violations of one rule are one problem. */
export function problemsOf(error: z.ZodError, tree: unknown): Problem[] {
  const problems = error.issues.flatMap((issue): Problem[] => {
    const path = issue.path.map(String);
    const problem = (at: readonly string[], reason: string): Problem => ({
      path: at,
      value: valueAt(tree, at),
      reason,
    });
    if (issue.code !== 'unrecognized_keys') return [problem(path, issue.message)];
    const reasons = issue.message.split('\n');
    return issue.keys.map((key, index) => ({ ...problem([...path, key], reasons[index]!), isUnknown: true }));
  });
  const lines = problems.map(({ path, reason }) => `${path.join('.')} ${reason}`);
  return problems.filter((_, index) => lines.indexOf(lines[index]!) === index);
}

const valueAt = (tree: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((above, key) => (above as Tree | undefined)?.[key], tree);

function line({ path, value, reason, isUnknown = false }: Problem): string {
  const parts = path.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`)).join('');
  const key = parts.replace(/^\./, '');
  return isUnknown ? `${key} is not a setting; ${reason}.` : `${key} is ${shown(value)}; ${reason}.`;
}

function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  const plain = (_key: string, inner: unknown): unknown =>
    typeof inner === 'bigint' ? String(inner) : inner;
  return shownText(JSON.stringify(value, plain));
}

/** The project's own files go by their place in it. */
const nameOf = (file: string): string => (isAbsolute(file) ? file : `config/${file}`);

function readTree(folder: string, file: string): Tree {
  // Paths are relative to the project: its location on this machine does not belong in a log.
  const refusal = (reason: string): ConfigError => new ConfigError([`${nameOf(file)}: ${reason}.`]);
  let text: string;
  try {
    text = readFileSync(resolve(folder, file), 'utf8');
  } catch (error) {
    throw refusal(`cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  const document = parseDocument(text);
  const [fault] = [...document.errors, ...document.warnings];
  if (fault) throw refusal(fault.message.split('\n')[0]!.replace(/:$/, ''));
  const value: unknown = document.toJS();
  if (!isTree(value)) throw refusal('must hold a mapping of keys to values');
  const inexact = inexactNumbers(document);
  if (inexact.length > 0)
    throw new ConfigError(inexact.map((problem) => `${nameOf(file)}: ${line(problem)}`));
  return value;
}

/** Numbers with too many digits, which would be another number once parsed. */
function inexactNumbers(document: Document.Parsed): Problem[] {
  const problems: Problem[] = [];
  visit(document, {
    Scalar(_key, node, ancestors) {
      if (typeof node.value !== 'number' || !Number.isFinite(node.value)) return;
      const digits = (node.source ?? '').replace(/e.*/i, '').replace(/\D/g, '').replace(/^0+/, '');
      if (digits.length <= EXACT_DIGITS) return;
      const path = ancestors.flatMap((above, depth) => {
        if (isPair(above)) return [isScalar(above.key) ? String(above.key.value) : '?'];
        return isSeq(above) ? [String(above.items.indexOf(ancestors[depth + 1] ?? node))] : [];
      });
      problems.push({
        path,
        value: node.source,
        reason: `a number keeps ${EXACT_DIGITS} digits; write it as a string, in quotes`,
      });
    },
  });
  return problems;
}

function merge(base: Tree, over: Tree): Tree {
  const merged = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    merged[key] = isTree(below) && isTree(value) ? merge(below, value) : value;
  }
  return merged;
}

function depthOf(tree: unknown, path: readonly string[]): number {
  const [key, ...rest] = path;
  if (key === undefined || typeof tree !== 'object' || tree === null || !Object.hasOwn(tree, key)) return 0;
  return 1 + depthOf((tree as Tree)[key], rest);
}

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
