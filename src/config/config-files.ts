import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getMetadataStorage, type ValidationError } from 'class-validator';
import { type Document, isPair, isScalar, isSeq, parseDocument, visit } from 'yaml';
import { ConfigError } from './config-error.js';
import { shownText } from './shown-value.js';

/** What is wrong with a value, and where: keys, and positions in lists, from the top. */
export interface Problem {
  path: readonly string[];
  value: unknown;
  reason: string;
}

type Tree = Record<string, unknown>;

/** Digits that a number of a file keeps exactly. */
const EXACT_DIGITS = 15;

/** YAML files of one folder, each over the one before it, key by key; lists are replaced whole. */
export class ConfigFiles {
  readonly merged: Tree;
  private readonly layers: readonly { file: string; tree: Tree }[];

  /** @throws ConfigError where a file cannot be read, is no YAML mapping, or holds a number of more digits than are kept */
  constructor(folder: string, files: readonly string[]) {
    this.layers = files.map((file) => ({ file: `config/${file}`, tree: readTree(folder, file) }));
    this.merged = this.layers.map(({ tree }) => tree).reduce(merge, {});
  }

  /** @throws ConfigError of a line a problem: the file that says it, the key path, the value, the reason. None: returns. */
  refuse(problems: readonly Problem[]): void {
    if (problems.length === 0) return;
    throw new ConfigError(problems.map((problem) => `${this.sayingSo(problem.path)}: ${line(problem)}`));
  }

  /** The last file that has the path; for what is missing, the files that come nearest to having it. */
  private sayingSo(path: readonly string[]): string {
    const depths = this.layers.map(({ file, tree }) => ({ file, depth: depthOf(tree, path) }));
    const deepest = Math.max(...depths.map(({ depth }) => depth));
    const nearest = depths.filter(({ depth }) => depth === deepest).map(({ file }) => file);
    return deepest === path.length ? nearest.at(-1)! : nearest.join(', ');
  }
}

/** The errors of class-validator, nested ones under the path of what holds them. What breaks one rule in several ways is one problem. */
export function problemsOf(errors: readonly ValidationError[], above: readonly string[] = []): Problem[] {
  return errors.flatMap((error) => {
    const path = [...above, error.property];
    const { whitelistValidation, ...constraints } = error.constraints ?? {};
    const reasons = [...new Set(Object.values(constraints))];
    if (whitelistValidation !== undefined) reasons.push(`the keys here are ${keysOf(error.target!)}`);
    return [
      ...reasons.map((reason) => ({ path, value: error.value as unknown, reason })),
      ...problemsOf(error.children ?? [], path),
    ];
  });
}

/** The keys that a mapping may have: those with rules. */
function keysOf(mapping: object): string {
  const rules = getMetadataStorage().getTargetValidationMetadatas(mapping.constructor, '', true, false);
  return [...new Set(rules.map(({ propertyName }) => propertyName))].join(', ');
}

function line({ path, value, reason }: Problem): string {
  const key = path.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`)).join('');
  return `${key.replace(/^\./, '')} is ${shown(value)}; ${reason}.`;
}

function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  const plain = (_key: string, inner: unknown): unknown =>
    typeof inner === 'bigint' ? String(inner) : inner;
  return shownText(JSON.stringify(value, plain));
}

function readTree(folder: string, file: string): Tree {
  // Named as in the project: where it lies on this machine is nothing for a log.
  const refusal = (reason: string): ConfigError => new ConfigError([`config/${file}: ${reason}.`]);
  let text: string;
  try {
    text = readFileSync(join(folder, file), 'utf8');
  } catch (error) {
    throw refusal(`cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  const document = parseDocument(text);
  const [fault] = [...document.errors, ...document.warnings];
  if (fault) throw refusal(fault.message.split('\n')[0]!.replace(/:$/, ''));
  const value: unknown = document.toJS();
  if (!isTree(value)) throw refusal('must hold a mapping of keys to values');
  const inexact = inexactNumbers(document);
  if (inexact.length > 0) throw new ConfigError(inexact.map((problem) => `config/${file}: ${line(problem)}`));
  return value;
}

/** A number of too many digits is another number once it is read. */
function inexactNumbers(document: Document.Parsed): Problem[] {
  const problems: Problem[] = [];
  visit(document, {
    Scalar(_key, node, ancestors) {
      if (typeof node.value !== 'number' || !Number.isFinite(node.value)) return;
      const digits = (node.source ?? '').replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '');
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
