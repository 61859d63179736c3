import { describe, expect, it } from '@jest/globals';
import { ConfigError } from './config-error.js';
import { readEnvironment } from './read-environment.js';
import { tracingOf } from './tracing.js';

const COLLECTOR = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };

const read = (env: Record<string, string>): ReturnType<typeof tracingOf> =>
  tracingOf(readEnvironment({ CONTRACT: 'partner', ...env }).values);

describe('the settings of traces', () => {
  it('record no traces without a collector, and all with one', () => {
    expect(read({})).toBeNull();
    expect(read({ ...COLLECTOR, OTEL_SDK_DISABLED: 'true' })).toBeNull();
    expect(read(COLLECTOR)).toEqual({ ratio: 1 });
    expect(read({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in' })).toEqual({ ratio: 1 });
  });

  it.each([
    ['always_on', 1],
    ['always_off', 0],
    ['traceidratio', 0.25],
    ['parentbased_always_on', 1],
    ['parentbased_always_off', 0],
    ['parentbased_traceidratio', 0.25],
  ])('support the sampler %s', (OTEL_TRACES_SAMPLER, ratio) => {
    expect(read({ ...COLLECTOR, OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG: '0.25' })).toEqual({ ratio });
  });

  it.each([
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
    { OTEL_EXPORTER_OTLP_ENDPONT: 'http://collector:4318' },
    { OTEL_TRACES_SAMPLER: 'sometimes' },
    { OTEL_TRACES_SAMPLER_ARG: '25' },
  ])('refuse %j', (env: Record<string, string>) => {
    expect(() => read(env)).toThrow(ConfigError);
  });
});
