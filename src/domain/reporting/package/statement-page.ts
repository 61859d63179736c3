import { decimalText } from '../../kernel/money.js';
import { type AssetFigures, totalOf } from '../statement-report.service.js';
import { STATEMENT } from './package-tables.js';

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPED[character]!);
const cells = (tag: 'td' | 'th', texts: readonly string[]): string =>
  `<tr>${texts.map((text) => `<${tag}>${escaped(text)}</${tag}>`).join('')}</tr>`;

/** The statement of a month as a page that prints: one table, no script and nothing from elsewhere. */
export function statementPage(
  period: string,
  partner: string,
  assets: readonly AssetFigures[],
  notes: readonly string[],
): string {
  const title = escaped(`Statement ${period}: ${partner}`);
  const rows = [...assets, { asset: 'Total', ...totalOf(assets) }];
  const columns = Object.entries(STATEMENT);
  return [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${title}</title>`,
    '<style>@page { size: landscape } body { font: 12px sans-serif } table { border-collapse: collapse }',
    'th, td { border: 1px solid #999; padding: 4px; text-align: right } tr > :first-child { text-align: left }</style></head>',
    `<body><h1>${title}</h1><table>`,
    cells(
      'th',
      columns.map(([name]) => name.replaceAll('_', ' ')),
    ),
    ...rows.map((row) =>
      cells(
        'td',
        columns.map(([, of]) => {
          const cell = of(row);
          return typeof cell === 'bigint' ? decimalText(cell) : String(cell);
        }),
      ),
    ),
    `</table>${notes.map((note) => `<p>${escaped(note)}</p>`).join('')}</body></html>`,
    '',
  ].join('\n');
}
