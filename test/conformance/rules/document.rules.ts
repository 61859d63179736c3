import { equals, holds, refused, SkippedRule } from '../check.js';
import { ELSEWHERE, LISTED, type Operation } from '../operations.js';
import { rulesOf } from '../rule.js';

const namesOf = (operations: Operation[]): string[] => operations.map(({ name }) => name);

export const documentRules = rulesOf('document', {
  served: [
    'The OpenAPI 3.1 document of the contract is served at /openapi.json.',
    async ({ isServed, document }) => {
      if (!isServed) throw new SkippedRule('the deployment serves no documents (DOCS=off)');
      holds(String(document.openapi).startsWith('3.1'), `it is of version ${document.openapi}`);
    },
  ],
  listed: [
    "Every operation in the contract's list is mounted, and none of them is marked x-extension.",
    async ({ contract, operations }) => {
      const names = namesOf(operations.filter(({ extension }) => !extension));
      const missing = LISTED[contract].filter((name) => !names.includes(name));
      equals('what is missing', missing, []);
    },
  ],
  extensions: [
    'Every other operation is marked x-extension.',
    async ({ contract, operations }) => {
      const others = operations.filter(
        (operation) => !operation.extension && !LISTED[contract].includes(operation.name),
      );
      equals('what is not marked', namesOf(others), []);
    },
  ],
  scopes: [
    'Every operation documents the scopes that admit it.',
    async ({ operations }) => {
      const silent = operations.filter(({ scopes }) => !Array.isArray(scopes) || scopes.length === 0);
      equals('what names none', namesOf(silent), []);
    },
  ],
  idempotent: [
    'Every POST that stores anything accepts an Idempotency-Key.',
    async ({ operations }) => {
      const posts = operations.filter(({ method, path }) => method === 'POST' && !path.endsWith('/preview'));
      const without = posts.filter(
        ({ parameters }) => !parameters.some(({ name }) => name === 'Idempotency-Key'),
      );
      equals('what takes none', namesOf(without), []);
    },
  ],
  elsewhere: [
    'An operation of the other contract only is not mounted: 404 route_not_found.',
    async (stage) => {
      const { caller } = await stage.partner();
      for (const [method, path] of ELSEWHERE[stage.contract])
        refused(await caller.send(method, path, method === 'GET' ? undefined : {}), 404, 'route_not_found');
    },
  ],
});
