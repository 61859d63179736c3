import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';

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
  it('are valid for Prometheus', () => {
    expect(promtool('check', 'rules', RULES)).toContain('SUCCESS');
  });

  it('fire on series that meet their condition, with their text, and on no other', () => {
    expect(promtool('test', 'rules', TESTS)).toContain('SUCCESS');
  });
});
