const EXPLORERS: Partial<Record<string, string>> = {
  ethereum: 'https://etherscan.io',
  arbitrum: 'https://arbiscan.io',
  base: 'https://basescan.org',
  plasma: 'https://plasmascan.to',
};

/** The site that shows a chain to people; undefined where none is known. */
export const explorerOf = (chain: string | null): string | undefined => EXPLORERS[chain ?? ''];

/** A hash or an address, abbreviated where there is little room. */
export const ShortHex = ({ text }: { text: string }) => (
  <code title={text}>
    {text.slice(0, 8)}…{text.slice(-6)}
  </code>
);

/** A hash with a link to the explorer of its chain. */
export function TransactionLink({ hash, chain }: { hash: string; chain: string | null }) {
  const explorer = explorerOf(chain);
  if (!explorer) return <ShortHex text={hash} />;
  return (
    <a href={`${explorer}/tx/${hash}`} rel="noreferrer" target="_blank">
      <ShortHex text={hash} />
    </a>
  );
}
