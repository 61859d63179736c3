import { countOf, escaped, leftOf, type Report, transcript } from './report.js';
import type { Result } from './session.js';

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1c2024; background: #fff; }
  table { border-collapse: collapse; width: 100%; } td, th { text-align: left; vertical-align: top; padding: .4rem .6rem; border-top: 1px solid #d8dce0; }
  code, pre { font: 13px/1.4 ui-monospace, monospace; } pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #f3f5f7; padding: .6rem; }
  .pass { color: #146c2e; } .fail { color: #a51d1d; font-weight: 600; } .skipped { color: #7a5200; }
  @media (prefers-color-scheme: dark) { body { color: #e6e8ea; background: #16181a; } pre { background: #22262a; } td, th { border-color: #3a4046; }
    .pass { color: #6fcf85; } .fail { color: #ff8f8f; } .skipped { color: #e5b454; } }`;

/** The report as one page that needs nothing beside itself. */
export function pageReport(report: Report): string {
  const { url, contract, startedAt, seconds, requests, results } = report;
  const [passed, failed, skipped] = [
    countOf(report, 'pass'),
    countOf(report, 'fail'),
    countOf(report, 'skipped'),
  ];
  const failures = results.filter(({ outcome }) => outcome === 'fail');
  const leftOver = leftOf(report)
    .map((line) => `<li>${escaped(line)}</li>`)
    .join('');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Conformance: ${failed === 0 ? 'passed' : `${failed} failed`}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Conformance with the ${escaped(contract)} contract</h1>
<p><code>${escaped(url)}</code>, ${startedAt.toISOString()}, ${requests} requests in ${seconds.toFixed(1)} s.</p>
<p><span class="pass">${passed} passed</span>, <span class="${failed ? 'fail' : 'pass'}">${failed} failed</span>, <span class="skipped">${skipped} skipped</span>.</p>
${leftOver && `<h2>Left behind</h2>\n<ul>${leftOver}</ul>`}
${failures.length ? `<h2>Failed</h2>\n${failures.map(failure).join('\n')}` : ''}
<h2>All rules</h2>
<table>
<tr><th>Rule</th><th>What must hold</th><th>Outcome</th></tr>
${results.map(row).join('\n')}
</table>
</body>
</html>
`;
}

const failure = ({ id, says, why, exchange }: Result): string => `<section id="${escaped(id)}">
<h3><code>${escaped(id)}</code></h3>
<p>${escaped(says)}</p>
<p class="fail">${escaped(why ?? '')}</p>
${exchange ? `<pre>${escaped(transcript(exchange))}</pre>` : ''}
</section>`;

function row({ id, says, outcome, why }: Result): string {
  const name = outcome === 'fail' ? `<a href="#${escaped(id)}">${escaped(id)}</a>` : escaped(id);
  const reason = outcome === 'skipped' ? `: ${escaped(why ?? '')}` : '';
  return `<tr><td><code>${name}</code></td><td>${escaped(says)}</td><td class="${outcome}">${outcome}${reason}</td></tr>`;
}
