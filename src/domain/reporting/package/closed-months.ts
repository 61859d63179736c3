import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { VERSION } from '../../../config/version.js';
import { FIND_LAST_CHECK } from '../../books/ledger/verification.queries.js';
import { jsonb, listOf, orNull, type RowOf, text, time } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import { FIND_ENDS } from '../../tenants/audit/audit.queries.js';
import { Custody } from '../../tenants/partners/custody.js';
import { reservesAtClosing } from '../reserves/reserve.queries.js';

/** What of the configuration the figures of a month depend on, beside the terms. */
interface Configuration {
  environment: string;
  settlement: string;
  simulatedYields: boolean;
  custody: 'shared' | 'separate';
  pointsPerUsdDay: number;
}

/** The newest verification of the ledger, of all partners. */
interface Verification {
  verifiedAt: string;
  isFull: boolean;
  differences: number;
}

/** A reading of the reserves; whole numbers and times are texts. */
export interface ReserveAtClosing {
  vaultId: string;
  asset: string;
  chain: string | null;
  readAt: string;
  block: number | null;
  blockAt: string | null;
  books: string;
  chainHolds: string | null;
  reason: string | null;
}

const MONTH = {
  closedAt: time(),
  partnerName: text(),
  version: text(),
  configuration: jsonb<Configuration>(),
  verification: orNull(jsonb<Verification>()),
  auditHead: text(),
  reserves: jsonb<ReserveAtClosing[]>(),
};
/** What a package says that no entry does, as it was when the month closed. */
export type ClosedMonth = RowOf<typeof MONTH>;

/** $1 partners, $2 first moment of the month, $3 its end. Their closings of its last day are written. */
const INSERT = statement(
  'closed_months.insert',
  {
    values: [listOf(text()), time(), time(), text(), jsonb<string>(), orNull(jsonb<string>()), text()],
    row: {},
  },
  `INSERT INTO closed_months (partner_id, month, partner_name, version, configuration, verification, audit_head, reserves)
   SELECT p.id, $2, p.name, $4, $5, $6, $7, ${reservesAtClosing('p.id', '$3')} FROM partners p WHERE p.id = ANY($1) ORDER BY p.id
   ON CONFLICT DO NOTHING`,
);

const FIND = statement(
  'closed_months.find',
  { values: [text(), time()], row: MONTH },
  `SELECT closed_at AS "closedAt", partner_name AS "partnerName", version, configuration, verification, audit_head AS "auditHead", reserves
     FROM closed_months WHERE partner_id = $1 AND month = $2`,
);

/** Keeps, as a month closes, what its package could not say later: names, readings and the server change. */
@Injectable()
export class ClosedMonths {
  constructor(
    private readonly store: Store,
    private readonly settings: DomainSettings,
    private readonly custody: Custody,
  ) {}

  /** Keeps it, once, in the transaction that closes the last day. @param end of the month */
  async keep(partnerIds: readonly string[], end: Date): Promise<void> {
    const { environment, settlement, simulatedYields, constants } = this.settings;
    const configuration: Configuration = {
      environment,
      settlement,
      simulatedYields,
      custody: this.custody.isSeparate ? 'separate' : 'shared',
      pointsPerUsdDay: constants.points.perUsdDay,
    };
    const [[last], [ends]] = [
      await this.store.query(FIND_LAST_CHECK, []),
      await this.store.query(FIND_ENDS, []),
    ];
    const { verifiedAt, isFull, differences } = last ?? {};
    await this.store.query(INSERT, [
      [...partnerIds],
      new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 1)),
      end,
      VERSION,
      JSON.stringify(configuration),
      last ? JSON.stringify({ verifiedAt, isFull, differences }) : null,
      ends!.lastHash.toString('hex'),
    ]);
  }

  /** @returns null for a month that closed before the upgrade to the version that keeps it */
  async find(partnerId: string, month: Date): Promise<ClosedMonth | null> {
    const [row] = await this.store.query(FIND, [partnerId, month]);
    return row ?? null;
  }
}
