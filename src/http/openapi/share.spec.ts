import { expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { share } from './share.js';

const USER_ID = { type: 'string', pattern: '^usr_', 'x-kind': 'UserId' };

/** A document with one class of these fields. */
const documentOf = (properties: object): OpenAPIObject =>
  ({ paths: {}, components: { schemas: { User: { properties } }, responses: {}, parameters: {} } }) as never;

it('A marked value becomes a schema of that name, and its places keep what is their own beside the reference', () => {
  const document = documentOf({
    id: { ...USER_ID, examples: ['usr_1'] },
    referrer: { ...USER_ID, type: ['string', 'null'], description: 'Who invited the user.' },
  });
  expect(share(document).components!.schemas).toEqual({
    User: {
      properties: {
        id: { $ref: '#/components/schemas/UserId', examples: ['usr_1'] },
        referrer: { $ref: '#/components/schemas/UserIdOrNull', description: 'Who invited the user.' },
      },
    },
    UserId: { type: 'string', pattern: '^usr_' },
    UserIdOrNull: { type: ['string', 'null'], pattern: '^usr_' },
  });
});

it('Values of different kinds under one name stop the generation of the document', () => {
  const document = documentOf({ id: USER_ID, asset: { ...USER_ID, pattern: '^[A-Z]+$' } });
  expect(() => share(document)).toThrow('Values of different kinds are called UserId');
});
