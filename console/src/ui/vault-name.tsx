import { holds } from '../api/session.js';
import { vaultName, vaultsById } from '../api/vaults.js';
import { Nothing } from '../format/figures.js';

interface VaultNameProps {
  id: string | null;
  /** Whether the name is plain text instead of a link to the vault. */
  plain?: boolean;
}

export function VaultName({ id, plain = false }: VaultNameProps) {
  if (id === null) return <Nothing why="none" />;
  const linked = !plain && vaultsById.value.has(id) && holds('read', 'partner:read');
  if (!linked) return <span title={id}>{vaultName(id)}</span>;
  return (
    <a href={`/console/vaults/${id}`} title={id}>
      {vaultName(id)}
    </a>
  );
}

const NAMED = /vlt_[a-z0-9_]+/g;
/** Digits that are no part of a name, a hash or a time, with those before the decimal point to be grouped. */
const DIGITS = /(?<![\w.:-])\d{4,}(?=[.\s%,]|$)/g;

/** A sentence of the server, with vaults by their names and digits in groups. */
export const worded = (text: string): string =>
  text
    .replaceAll(NAMED, (id) => vaultName(id))
    .replaceAll(DIGITS, (digits) => BigInt(digits).toLocaleString('en-US'));

/** An id, abbreviated where there is little room: ids of one minute differ at the end. */
export const ShortId = ({ id }: { id: string }) => (
  <code title={id}>
    {id.slice(0, id.indexOf('_') + 1)}…{id.slice(-6)}
  </code>
);
