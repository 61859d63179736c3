import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { searchText } from '../support/secret-watch.js';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Rules of axe whose result depends on the color scheme or the width. */
const OF_LOOKS = ['color-contrast', 'scrollable-region-focusable', 'target-size'];
const WIDE = { width: 1280, height: 800 };
/** The functions run in the browser, whose types this file does not have. */
const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error('policy: ' + violatedDirective + ' refused ' + blockedURI))`;
const OVERHANG = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
/** Columns whose heading stands elsewhere than their figures: both are right-aligned, and end at the same pixel. */
const MISALIGNED = `[...document.querySelectorAll('table')].flatMap((table) => {
  const endOf = (cell) => {
    const range = document.createRange();
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    let end = 0;
    while (walker.nextNode()) {
      const { parentElement } = walker.currentNode;
      if (parentElement.closest('.heard')) continue;
      range.selectNodeContents(walker.currentNode);
      end = Math.max(end, (parentElement.closest('button') ?? range).getBoundingClientRect().right);
    }
    return end;
  };
  const rows = [...table.querySelectorAll('tbody tr')];
  return [...(table.querySelector('thead tr')?.children ?? [])].flatMap((head, at) => {
    const cells = rows.flatMap(({ children }) => (children[at]?.textContent ? [children[at]] : []));
    if (!head.textContent || head.offsetParent === null || cells.length === 0) return [];
    const name = table.parentElement.getAttribute('aria-label') + ': ' + head.textContent;
    const isRight = (cell) => getComputedStyle(cell).textAlign === 'right';
    if (cells.some((cell) => isRight(cell) !== isRight(head))) return [name + ' is aligned otherwise than its figures'];
    const off = Math.abs(Math.max(...cells.map(endOf)) - endOf(head));
    return isRight(head) && off > 1.5 ? [name + ' ends ' + Math.round(off) + ' px from its figures'] : [];
  });
})`;
const KEPT =
  '({ session: Object.keys(sessionStorage), local: Object.keys(localStorage), cookies: document.cookie })';
const NARROW = { width: 360, height: 740 };

/** The console in a browser, and every problem that it reported. */
export class ConsolePage {
  /** Messages of the browser's console, violations of the content security policy, and answers of 400 and more. Empty: no problems. */
  readonly problems: string[] = [];

  private constructor(
    readonly page: Page,
    private readonly context: BrowserContext,
    readonly url: string,
  ) {}

  static async open(browser: Browser, url: string): Promise<ConsolePage> {
    const context = await browser.newContext({ viewport: WIDE });
    const page = await context.newPage();
    const console = new ConsolePage(page, context, url);
    page.setDefaultTimeout(15_000);
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) console.problems.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => console.problems.push(`page: ${error.message}`));
    page.on('request', (request) => {
      if (!request.url().startsWith(url)) console.problems.push(`asked elsewhere: ${request.url()}`);
      searchText('an address that the console asked for', request.url());
    });
    // Violations of the content security policy also appear in the browser's console; the event reports those of report-only policies, too.
    await page.addInitScript(REPORT_VIOLATIONS);
    return console;
  }

  /** Pastes a key, by the keyboard alone. */
  async signIn(key: string): Promise<void> {
    await this.page.goto(`${this.url}/console`);
    const field = this.page.getByLabel('API key');
    await field.waitFor();
    await field.focus();
    await this.page.keyboard.insertText(key);
    await field.press('Enter');
    await this.page.getByRole('navigation', { name: 'Screens' }).waitFor();
  }

  async goTo(path: string): Promise<void> {
    await this.page.goto(`${this.url}/console${path}`);
    await this.settled();
  }

  /** Follows a link of the navigation. */
  async follow(name: string): Promise<void> {
    await this.page
      .getByRole('navigation', { name: 'Screens' })
      .getByRole('link', { name, exact: true })
      .click();
    await this.page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    await this.settled();
  }

  /** Waits until nothing is being loaded. */
  async settled(): Promise<void> {
    await this.page.getByRole('heading', { level: 1 }).waitFor();
    await this.page.locator('.loading, [aria-busy="true"]').first().waitFor({ state: 'detached' });
  }

  /**
   * Amounts that do not stand under their headings, and violations that axe finds, in the light scheme at desktop width and in the dark scheme at phone width, where the page must not overflow sideways
   * either.
   */
  async examine(name: string): Promise<void> {
    await this.find(`${name}, light`);
    const misaligned = await this.page.evaluate<string[]>(MISALIGNED);
    this.problems.push(...misaligned.map((column) => `${name}: ${column}`));
    await this.page.emulateMedia({ colorScheme: 'dark' });
    await this.page.setViewportSize(NARROW);
    await this.find(`${name}, dark and narrow`, OF_LOOKS);
    const over = await this.page.evaluate<number>(OVERHANG);
    if (over > 0) this.problems.push(`${name}: ${over} px wider than a screen of ${NARROW.width} px`);
    await this.page.emulateMedia({ colorScheme: 'light' });
    await this.page.setViewportSize(WIDE);
  }

  /** @param rules default: all tagged rules */
  private async find(name: string, rules?: readonly string[]): Promise<void> {
    // The pages have no frames, so axe needs no second page for them.
    const axe = new AxeBuilder({ page: this.page }).setLegacyMode(true);
    const { violations } = await (rules ? axe.withRules([...rules]) : axe.withTags(TAGS)).analyze();
    for (const { id, nodes } of violations)
      this.problems.push(`axe, ${name}: ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
  }

  /** What the browser keeps: the names in its storage, and its cookies. */
  kept(): Promise<{ session: string[]; local: string[]; cookies: string }> {
    return this.page.evaluate(KEPT);
  }

  sessionKey(): Promise<string> {
    return this.page.evaluate("sessionStorage.getItem('vaultline.session') ?? ''");
  }

  async close(): Promise<void> {
    await this.context.close();
  }
}
