import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

const RULES = 'deploy/helm/vaultline/alerts.yaml';
const TESTS = 'deploy/observability/alerts.test.yaml';

const promtool = (...parameters: string[]): string =>
  execFileSync('promtool', parameters, { encoding: 'utf8', timeout: 300_000 });

const whereEvaluated = ((): typeof describe.skip => {
  try {
    promtool('--version');
    return describe;
  } catch {
    process.stderr.write(
      'Skipped: there is no promtool, so no alert rule is evaluated. Install the package prometheus.\n',
    );
    return describe.skip;
  }
})();

whereEvaluated('the alert rules', () => {
  it('The alert rules are valid for Prometheus', () => {
    expect(promtool('check', 'rules', RULES)).toContain('SUCCESS');
  });

  it('The alert rules fire on series that meet their condition, with their text, and on no other', () => {
    expect(promtool('test', 'rules', TESTS)).toContain('SUCCESS');
  });
});

it('The alert rules are each tested firing and silent', () => {
  const parsed = (file: string): any => parse(readFileSync(file, 'utf8'));
  const names = parsed(RULES).groups.flatMap(({ rules }: any) => rules.map(({ alert }: any) => alert));
  const tests = parsed(TESTS).tests.flatMap(({ alert_rule_test }: any) => alert_rule_test);
  for (const fires of [true, false]) {
    const tested = tests.filter(({ exp_alerts }: any) => exp_alerts.length > 0 === fires);
    expect(new Set(tested.map(({ alertname }: any) => alertname))).toEqual(new Set(names));
  }
});
