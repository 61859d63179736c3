import { holds } from '../../api/session.js';
import { Time } from '../../format/time.js';
import { CopyButton } from '../../ui/copy-button.js';

/** An amount as a contract takes it. */
export function TokenUnits({ amount }: { amount: number }) {
  // Every asset has six decimals.
  const units = String(Math.round(amount * 1_000_000));
  return (
    <>
      <dt>In token units</dt>
      <dd>
        <code>{units}</code> <CopyButton text={units} name="amount in token units" />
      </dd>
    </>
  );
}

interface WhoProps {
  of: { id: string; partner_id: string; taken_at: string | null; taken_by: string | null };
  /** What is said where nobody took it up. */
  untaken?: string;
}

/** Who executes a record, and whose it is. */
export const Who = ({
  of: { id, partner_id, taken_at, taken_by },
  untaken = 'nobody took it up',
}: WhoProps) => (
  <>
    <dt>Who</dt>
    <dd>
      {taken_at ? (
        <>
          taken up <Time at={taken_at} /> UTC by{' '}
          {taken_by === null ? 'the server' : <code class="breaking">{taken_by}</code>}
        </>
      ) : (
        untaken
      )}
      {holds('partner:admin', 'keys:admin') && (
        <>
          , <a href={`/console/audit?subject=${id}&days=all`}>the audit log of it</a>
        </>
      )}
    </dd>
    <dt>Partner</dt>
    <dd>
      <code class="breaking">{partner_id}</code>
    </dd>
  </>
);
