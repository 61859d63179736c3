import { expect, it } from '@jest/globals';
import { CONTRACTS } from '../../src/config/deployments.js';
import { PublishedDocument } from '../support/published-document.js';
import { ALTERED } from './alterations.js';
import { contractOf } from './altered.js';
import { isList, operationsIn } from './operations.js';
import { rulesFor } from './rules.js';
import { FILTERS } from './rules/filters.rules.js';

/** Parameters that need no filter test here: paging, those that change how a row is shown, and filters that other rules test. */
const ELSEWHERE = ['limit', 'cursor', 'as_of', 'interval', 'view'];
/** Lists that are empty without a chain: the rules of reserves have their filters. */
const OF_CHAINS = ['GET /reserves/history'];

it.each(CONTRACTS)(
  'Every filter of every list of the %s contract is tried with rows that it excludes',
  (contract) => {
    const lists = operationsIn(new PublishedDocument(contract).content).filter(
      (operation) => isList(operation) && !OF_CHAINS.includes(operation.name),
    );
    const filters = lists.flatMap(({ name, parameters }) =>
      parameters
        .filter((parameter) => parameter.in === 'query' && !ELSEWHERE.includes(parameter.name))
        .filter((parameter) => !(parameter.name in (FILTERS[name]?.[0] ?? {})))
        .map((parameter) => `${name} ${parameter.name}`),
    );
    expect(filters).toEqual([]);
  },
);

it('Every alteration names a rule of the contract that it is tried in', () => {
  const unknown = ALTERED.filter(([rule, , , only]) =>
    (only ? [contractOf(only)] : CONTRACTS).some(
      (contract) => !rulesFor(contract).some(({ id }) => id === rule),
    ),
  );
  expect(unknown).toEqual([]);
});

/** Alterations of these would wait for what does not come. */
const WAITING = ['positions.told'];

it('Every rule of users, positions, withdrawals, payouts, moves and reserves has an alteration that it notices', () => {
  const altered = new Set(ALTERED.map(([rule]) => rule));
  const rules = CONTRACTS.flatMap((contract) => rulesFor(contract).map(({ id }) => id));
  const unaltered = rules.filter(
    (id) => /^(users|positions|withdrawals|payouts|moves|reserves)\./.test(id) && !altered.has(id),
  );
  expect([...new Set(unaltered)]).toEqual(WAITING);
});
