import { countOf, escaped, leftOf, type Report, transcript } from './report.js';
import type { Result } from './session.js';

/** The report as JUnit XML, which pipelines read. */
export function junitReport(report: Report): string {
  const { contract, results, seconds, startedAt } = report;
  const leftovers = leftOf(report);
  // A pipeline shows failures alone.
  const cleaning = leftovers.length === 0 ? [] : [cleaningFailed(contract, leftovers)];
  const suite = [
    `name="${escaped(`conformance.${contract}`)}"`,
    `tests="${results.length + cleaning.length}" failures="${countOf(report, 'fail') + cleaning.length}" errors="0" skipped="${countOf(report, 'skipped')}"`,
    `time="${seconds.toFixed(3)}" timestamp="${startedAt.toISOString()}"`,
  ].join(' ');
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites><testsuite ${suite}>`,
    ...results.map((result) => testcase(contract, result)),
    ...cleaning,
    '</testsuite></testsuites>',
    '',
  ].join('\n');
}

function testcase(contract: string, { id, says, outcome, why, exchange, seconds }: Result): string {
  const [group = ''] = id.split('.');
  const head = `<testcase classname="${escaped(`conformance.${contract}.${group}`)}" name="${escaped(`${id}: ${says}`)}" time="${seconds.toFixed(3)}"`;
  if (outcome === 'pass') return `${head}/>`;
  if (outcome === 'skipped') return `${head}><skipped message="${escaped(why ?? '')}"/></testcase>`;
  return `${head}><failure message="${escaped(why ?? '')}">${exchange ? escaped(transcript(exchange)) : ''}</failure></testcase>`;
}

const cleaningFailed = (contract: string, leftovers: readonly string[]): string =>
  `<testcase classname="${escaped(`conformance.${contract}.cleaning`)}" name="Nothing is left behind."><failure message="left behind">${escaped(leftovers.join('\n'))}</failure></testcase>`;
