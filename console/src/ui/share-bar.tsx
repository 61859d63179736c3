import { rateText } from '../format/figures.js';

/** A part of a whole, beside its figure. @param share from 0 to 1 */
export const ShareBar = ({ share }: { share: number }) => (
  <span class="share">
    <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect class="share-all" width="100" height="6" rx="3" />
      <rect class="share-part fill-1" width={Math.max(0, Math.min(1, share)) * 100} height="6" rx="3" />
    </svg>
    <span class="figure">{rateText(share, 1)}</span>
  </span>
);
