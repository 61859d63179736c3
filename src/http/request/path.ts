import { Param } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { exampleId } from '../../domain/kernel/demo-ids.js';
import { ID_BODY, ID_PREFIXES, type IdKind } from '../../domain/kernel/identifier.js';
import { placeholder } from '../answer/placeholders.js';
import { MARKS, pascalCase } from '../openapi/schema.js';

/** Pattern of an id in documents. A malformed id in a path is answered like an unknown one: 404. */
export const idPattern = (prefix: string): string => `^${prefix}_${ID_BODY}$`;

/** Schema of an id: `UserId`. */
export const idSchema = (kind: IdKind): object => ({
  type: String,
  pattern: idPattern(ID_PREFIXES[kind]),
  [MARKS.kind]: `${pascalCase(kind)}Id`,
});

/** Id in the path: binds the parameter and describes it in OpenAPI. @param example of `DEMO_IDS`, where the operation does not take the usual one */
export function PathId(
  name: string,
  kind: IdKind,
  description: string,
  example: string = exampleId(ID_PREFIXES[kind]),
): ParameterDecorator {
  return pathParameter(name, description, { ...idSchema(kind), example });
}

/** Schema of an asset. */
export const ASSET = { type: String, [MARKS.asset]: true, [MARKS.kind]: 'Asset' };

/** Path parameter `asset`. The document lists the deployment's assets; the domain checks the value. */
export const PathAsset = (description: string): ParameterDecorator =>
  pathParameter('asset', description, ASSET);

/** Path parameter `period`: a year, a month or a UTC day. */
export const PathPeriod = (): ParameterDecorator =>
  pathParameter('period', 'The year, YYYY, the month, YYYY-MM, or the UTC day, YYYY-MM-DD.', {
    pattern: '^\\d{4}(-\\d\\d(-\\d\\d)?)?$',
    example: '2026-01',
  });

/** Path parameter `period`: a month. */
export const PathMonth = (description: string): ParameterDecorator =>
  pathParameter('period', description, { pattern: '^\\d{4}-\\d\\d$', example: '2026-01' });

/** Path parameter `id` of a vault: a slug of the catalogue. A malformed one is answered like an unknown one. */
export const PathVault = (description: string): ParameterDecorator =>
  pathParameter('id', description, { pattern: '^vlt_[a-z0-9_]+$', example: placeholder('vault') });

const pathParameter =
  (name: string, description: string, schema: object): ParameterDecorator =>
  (target, method, index) => {
    Param(name)(target, method, index);
    ApiParam({ name, description, schema: { ...schema, type: 'string' } })(
      target,
      method!,
      Object.getOwnPropertyDescriptor(target, method!)!,
    );
  };
