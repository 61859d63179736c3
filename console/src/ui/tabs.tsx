interface TabsProps {
  name: string;
  tabs: readonly { name: string; path: string }[];
  /** The path of the present tab. */
  current: string;
}

/** Tabs of a screen, each with its own address. */
export const Tabs = ({ name, tabs, current }: TabsProps) => (
  <nav class="tabs" aria-label={name}>
    <ul>
      {tabs.map((tab) => (
        <li key={tab.path}>
          <a href={tab.path} aria-current={tab.path === current ? 'page' : undefined}>
            {tab.name}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);
