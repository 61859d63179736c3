/** A deliberate difference between the two contracts. A difference that is not listed is a mistake. */
export interface Difference {
  /** `GET /keys/{id}` */
  operation: string;
  /** `only in partner`, `only in sandbox`, or a line of `parity.spec.ts` that differs, together with the lines below it. */
  what: readonly string[];
  reason: string;
}

const SCOPED: Pick<Difference, 'what' | 'reason'> = {
  what: ['body.external_id'],
  reason:
    'The partner contract documents that external ids are unique over all partners; in the sandbox accounts must not meet, so each has a name space of its own.',
};

const SETTLED: Pick<Difference, 'what' | 'reason'> = {
  what: [
    'scopes',
    'partner key',
    'body.tx_hash',
    'body.chain',
    'error partner_key_required',
    'error settlement_already_recorded',
    'error advance_in_progress',
  ],
  reason:
    'Live transfers settle elsewhere, once each, and the protocol reports them; in the sandbox an account simulates its own, at its own time.',
};

/** @param where the field in the answer */
const lookedUp = (operation: string, where: string): Difference => ({
  operation,
  what: [`${where}.settlement`],
  reason: 'Live transfers are looked up on their chain; what is simulated is on none.',
});

const OWN: Pick<Difference, 'what' | 'reason'> = {
  what: ['scopes', 'partner key', 'error partner_key_required'],
  reason:
    "The protocol reads everybody's live positions; in the sandbox an account reads its own, and nobody another's.",
};

const EXECUTED: Pick<Difference, 'what' | 'reason'> = {
  what: ['scopes', 'partner key', 'error partner_key_required'],
  reason:
    'Executors carry out the moves and withdrawals of all partners, on chains; in the sandbox an account reads its own, which are on none.',
};

const PAID = 'Executors pay live withdrawals by calls on chains; in the sandbox the server pays its own.';

/** Every difference between the partner contract and the sandbox contract, each once. */
// prettier-ignore
export const DIFFERENCES: readonly Difference[] = [
  { operation: 'POST /users', ...SCOPED },
  { operation: 'GET /positions', ...OWN },
  { operation: 'GET /positions/{id}', ...OWN },
  ...['GET /positions', 'GET /partner/user/{id}/positions', 'GET /users/{id}/ledger'].map((text) => lookedUp(text, 'answer.data[]')),
  ...['GET /positions/{id}', 'POST /positions', 'POST /positions/{id}/withdrawals'].map((text) => lookedUp(text, 'answer.data')),
  lookedUp('POST /positions', 'answer|1.data[]'),
  ...['POST /users/{id}/withdrawals', 'GET /withdrawals/{id}'].map((text) => lookedUp(text, 'answer.data')),
  lookedUp('GET /withdrawals', 'answer.data[]'),
  ...['GET /settlements', 'POST /settlements/{id}/resolve'].map((operation) => ({
    operation,
    what: ['only in partner'],
    reason: 'What is simulated settles nowhere.',
  })),
  ...['GET /reserves', 'GET /reserves/history'].map((operation) => ({
    operation,
    what: ['only in partner'],
    reason: 'Simulated funds are on no chain.',
  })),
  inCustody('POST /partners', 'answer.data.partner'),
  inCustody('GET /partners', 'answer.data[]'),
  ...['GET /partners/{id}', 'PATCH /partners/{id}'].map((text) => inCustody(text, 'answer.data')),
  {
    operation: 'GET /analytics/regime',
    what: ['answer.object'],
    reason: 'The partner contract documents the literal `object` here, the sandbox the kind of the resource.',
  },
  {
    operation: 'GET /analytics/regime',
    what: ['answer.data.regime', 'answer.data.assets[].regime'],
    reason:
      'A regime that is not known is the label `unknown` in the partner contract, and null in the sandbox, whose document knows four labels.',
  },
  {
    operation: 'GET /analytics/uplift',
    what: ['answer.object'],
    reason: 'The partner contract documents the literal `object` here, the sandbox the kind of the resource.',
  },
  {
    operation: 'GET /analytics/uplift',
    what: ['answer.data.realized', 'answer.data.projected', 'answer.data.baselines'],
    reason:
      'The sandbox compares with two passive baselines, the partner contract with the lending venue alone.',
  },
  { operation: 'GET /analytics/advisor', what: ['only in sandbox'], reason: 'The sandbox contract alone has the summary in words.'},
  { operation: 'POST /positions', ...SETTLED },
  { operation: 'POST /positions', what: ['body.allocated'], reason: 'Simulated funds are in their vault as soon as they are deposited.'},
  {
    operation: 'POST /positions',
    what: ['error partner_disabled'],
    reason: 'Disabling a partner revokes its keys, and in the sandbox nobody else deposits for it.',
  },
  { operation: 'POST /positions/{id}/withdrawals', ...SETTLED },
  { operation: 'POST /positions/{id}/withdrawals', what: ['error settlement_unresolved'], reason: 'No chain contradicts what is simulated.'},
  {
    operation: 'GET /webhooks/events',
    what: ['query', 'answer', 'error invalid_cursor', 'error not_found'],
    reason: 'The list of event types in the partner contract, the delivery log in the sandbox.',
  },
  { operation: 'GET /webhooks/deliveries', what: ['only in partner'], reason: 'The delivery log of the sandbox is at /webhooks/events.'},
  {
    operation: 'PATCH /webhooks/{id}',
    what: ['only in partner'],
    reason: 'The sandbox contract lists no change of an endpoint: it is deleted and registered anew.',
  },
  { operation: 'POST /webhooks/{id}/test', what: ['status'], reason: 'The partner contract answers a test send with 201, the sandbox with 200.'},
  { operation: 'GET /moves', ...EXECUTED, what: [...EXECUTED.what, 'answer.data[].calls'] },
  { operation: 'GET /moves/{id}', ...EXECUTED, what: [...EXECUTED.what, 'query account', 'answer.data.calls'] },
  {
    operation: 'POST /users/{id}/withdrawals',
    what: ['error settlement_unresolved', 'error advance_in_progress'],
    reason: 'No chain contradicts what is simulated, which is withdrawn at the time of its account.',
  },
  ...['GET /withdrawals', 'GET /withdrawals/{id}'].map((operation) => ({ operation, ...EXECUTED })),
  { operation: 'GET /withdrawals', what: ['answer.data[].calls'], reason: PAID },
  { operation: 'GET /withdrawals/{id}', what: ['query account', 'answer.data.calls'], reason: PAID },
  { operation: 'POST /users/{id}/withdrawals', what: ['answer.data.calls'], reason: PAID },
  ...['taken', 'paid', 'failed'].map((step) => reported(`POST /withdrawals/{id}/${step}`)),
  reported('POST /positions/{id}/allocated'),
  ...['taken', 'redeemed', 'settled', 'failed', 'review', 'resolve'].map((step) => reported(`POST /moves/{id}/${step}`)),
  ...['GET /simulation/clock', 'POST /simulation/clock/advance', 'POST /simulation/events'].map(simulated),
  ...['POST /simulation/market', 'POST /simulation/reset'].map(simulated),
  simulated('DELETE /simulation/vaults/{id}/quarantine'),
  {
    operation: 'DELETE /vaults/{id}/quarantine',
    what: ['only in partner'],
    reason: 'Each account of the sandbox has its own market, whose quarantines it ends itself.',
  },
];

/** @param where the field in the answer */
function inCustody(operation: string, where: string): Difference {
  const sent = ['body.custody_accounts', 'error custody_shared'];
  return {
    operation,
    what: [`${where}.custody_accounts`, ...(operation.startsWith('GET') ? [] : sent)],
    reason: 'What is simulated is in no custody.',
  };
}

function reported(operation: string): Difference {
  return {
    operation,
    what: ['only in partner'],
    reason: 'A simulated executor moves the funds of the sandbox: nobody reports on it.',
  };
}

function simulated(operation: string): Difference {
  return {
    operation,
    what: ['only in sandbox'],
    reason: 'Nobody moves the time, the market or the ledger of the live deployment.',
  };
}
