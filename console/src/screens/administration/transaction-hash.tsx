const EXPLORERS: Partial<Record<string, string>> = {
  ethereum: 'https://etherscan.io',
  arbitrum: 'https://arbiscan.io',
  base: 'https://basescan.org',
  plasma: 'https://plasmascan.to',
};

/** The site that shows a chain to people; undefined where none is known. */
export const explorerOf = (chain: string | null): string | undefined => EXPLORERS[chain ?? ''];

/** A hash, abbreviated where there is little room, with a link to the explorer of its chain. */
export function TransactionLink({ hash, chain }: { hash: string; chain: string | null }) {
  const explorer = explorerOf(chain);
  const short = (
    <code title={hash}>
      {hash.slice(0, 8)}…{hash.slice(-6)}
    </code>
  );
  return explorer ? (
    <a href={`${explorer}/tx/${hash}`} rel="noreferrer" target="_blank">
      {short}
    </a>
  ) : (
    short
  );
}
