import { holds } from '../api/session.js';
import { vaultName, vaultsById } from '../api/vaults.js';
import { Nothing } from '../format/figures.js';

interface VaultNameProps {
  id: string | null;
  /** Instead of a link to its yields. */
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

/** An id, short where there is little room: its end tells ids of the same minute apart. */
export const ShortId = ({ id }: { id: string }) => (
  <code title={id}>
    {id.slice(0, id.indexOf('_') + 1)}…{id.slice(-6)}
  </code>
);
