import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { ToTheCent } from '../format/figures.js';

interface PanelProps {
  title: ComponentChildren;
  /** A sentence on what the panel shows. */
  remark?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
  class?: string;
  /** Whether newer data is being loaded. */
  busy?: boolean;
}

export function Panel({ title, remark, actions, children, class: extra = '', busy = false }: PanelProps) {
  const id = useId();
  return (
    <section class={`panel ${extra}`} aria-labelledby={id} aria-busy={busy}>
      <header class="panel-head">
        <div>
          <h2 id={id}>{title}</h2>
          {remark && <p>{remark}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}

interface TileProps {
  name: string;
  children: ComponentChildren;
  /** A text below the figure. */
  remark?: ComponentChildren;
  lead?: boolean;
}

/** A figure with its name; an amount is shown to the cent. A list of them is a `<dl class="tiles">`. */
export const Tile = ({ name, children, remark, lead = false }: TileProps) => (
  <div class={lead ? 'tile lead' : 'tile'}>
    <dt>{name}</dt>
    <dd class="tile-figure">
      <ToTheCent.Provider value>{children}</ToTheCent.Provider>
    </dd>
    {remark && <dd class="tile-remark">{remark}</dd>}
  </div>
);
