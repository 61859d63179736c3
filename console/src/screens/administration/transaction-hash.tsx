/** A hash, abbreviated where there is little room. */
export const ShortHash = ({ hash }: { hash: string }) => (
  <code title={hash}>
    {hash.slice(0, 8)}…{hash.slice(-6)}
  </code>
);
