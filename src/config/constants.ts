import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { plainToInstance, Type } from 'class-transformer';
import {
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsDefined,
  IsInt,
  IsString,
  Matches,
  Max,
  Min,
  ValidateNested,
  type ValidationError,
  validateSync,
} from 'class-validator';
import { parse } from 'yaml';
import { ConfigError } from './config-error.js';
import type { Contract } from './environment.js';

const CONFIG_FOLDER = fileURLToPath(new URL('../../config', import.meta.url));

class HttpConstants {
  @IsInt() @Min(1024) @Max(10_485_760) body_limit_bytes: number;
  @IsInt() @Min(4096) @Max(131_072) headers_limit_bytes: number;
  @IsInt() @Min(1) @Max(300) request_timeout_seconds: number;
  @IsInt() @Min(1) @Max(600) shutdown_grace_seconds: number;
}

class AccessConstants {
  @IsInt() @Min(1) @Max(60) last_used_flush_seconds: number;
}

class WebhookConstants {
  @IsInt() @Min(1) @Max(1000) endpoints_per_partner: number;
  @IsInt() @Min(1) @Max(20_000) concurrency: number;
  @IsInt() @Min(1) @Max(100) concurrency_per_endpoint: number;
  @IsInt() @Min(1) @Max(600) interrupted_grace_seconds: number;
  @IsInt() @Min(1) @Max(1_000_000) deliveries_kept: number;
}

class IdempotencyConstants {
  @IsInt() @Min(1) @Max(720) kept_hours: number;
  @IsInt() @Min(0) @Max(10_000) wait_ms: number;
}

/** What `config/default.yaml` and the contract's own file say together. Units are in the names. */
export class Constants {
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsString({ each: true })
  @Matches(/^[A-Z0-9]{2,12}$/, { each: true })
  assets: string[];

  @IsDefined() @ValidateNested() @Type(() => HttpConstants) http: HttpConstants;
  @IsDefined() @ValidateNested() @Type(() => AccessConstants) access: AccessConstants;
  @IsDefined() @ValidateNested() @Type(() => WebhookConstants) webhooks: WebhookConstants;
  @IsDefined() @ValidateNested() @Type(() => IdempotencyConstants) idempotency: IdempotencyConstants;
}

/**
 * Reads `default.yaml` under `<contract>.yaml` (the contract's file wins, key by key).
 *
 * @throws ConfigError naming the files, the key, its value and what is allowed.
 */
export function readConstants(contract: Contract, folder: string = CONFIG_FOLDER): Constants {
  const files = ['default.yaml', `${contract}.yaml`];
  const merged = files.map((file) => readYaml(join(folder, file))).reduce(merge, {});
  const constants = plainToInstance(Constants, merged);
  const errors = validateSync(constants, { whitelist: true, forbidNonWhitelisted: true });
  if (errors.length > 0) {
    const where = files.map((file) => `config/${file}`).join(', ');
    throw new ConfigError(errors.flatMap((error) => describe(error, '')).map((line) => `${where}: ${line}`));
  }
  return constants;
}

type Tree = Record<string, unknown>;

function readYaml(path: string): Tree {
  let value: unknown;
  try {
    value = parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ConfigError([`${path}: ${(error as Error).message.split('\n')[0]}`]);
  }
  if (!isTree(value)) throw new ConfigError([`${path}: must hold a mapping of keys to values.`]);
  return value;
}

function merge(base: Tree, over: Tree): Tree {
  const merged = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    merged[key] = isTree(below) && isTree(value) ? merge(below, value) : value;
  }
  return merged;
}

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function describe(error: ValidationError, prefix: string): string[] {
  const key = prefix + error.property;
  const own = Object.values(error.constraints ?? {}).map(
    (message) => `${key} is ${JSON.stringify(error.value) ?? 'missing'}: ${message}.`,
  );
  return [...own, ...(error.children ?? []).flatMap((child) => describe(child, `${key}.`))];
}
