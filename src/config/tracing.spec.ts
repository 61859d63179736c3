import { describe, expect, it } from '@jest/globals';
import { ConfigError } from './config-error.js';
import { readEnvironment } from './read-environment.js';
import { tracingOf } from './tracing.js';

const COLLECTOR = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };

const read = (env: Record<string, string>): ReturnType<typeof tracingOf> =>
  tracingOf(readEnvironment({ CONTRACT: 'partner', ...env }).values);

function problems(env: Record<string, string>): readonly string[] {
  try {
    read(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('settings of traces', () => {
  it('are off without a collector, and all traces are sent to one', () => {
    expect(read({})).toBeNull();
    expect(read(COLLECTOR)).toEqual({
      url: 'http://collector:4318/v1/traces',
      serviceName: 'vaultline-partner',
      ratio: 1,
      attributes: {},
    });
  });

  it('name the URL as a whole, and the ratio', () => {
    expect(
      read({
        ...COLLECTOR,
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in',
        OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
        OTEL_TRACES_SAMPLER_ARG: '0.25',
      }),
    ).toMatchObject({ url: 'https://traces.example/in', ratio: 0.25 });
    expect(read({ ...COLLECTOR, OTEL_TRACES_SAMPLER: 'always_off' })).toMatchObject({ ratio: 0 });
  });

  it.each([{ OTEL_SDK_DISABLED: 'true' }, { OTEL_SDK_DISABLED: 'TRUE' }, { OTEL_TRACES_EXPORTER: 'none' }])(
    'are off by %j, whatever else is set',
    (off: Record<string, string>) => {
      expect(read({ ...COLLECTOR, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', ...off })).toBeNull();
    },
  );

  it.each([
    { OTEL_TRACES_EXPORTER: 'otlp', OTEL_SDK_DISABLED: 'false' },
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' },
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json' },
  ])('are on with %j', (env: Record<string, string>) => {
    expect(read({ ...COLLECTOR, ...env })).not.toBeNull();
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'http/protobuf'],
    ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'grpc'],
  ])('refuse %s=%s, with a collector and without', (name, value) => {
    const refused = [expect.stringMatching(`^${name} is "${value}"; allowed is http/json, because`)];
    expect(problems({ [name]: value })).toEqual(refused);
    expect(problems({ ...COLLECTOR, [name]: value })).toEqual(refused);
  });

  it.each([
    ['OTEL_TRACES_EXPORTER', 'zipkin', 'allowed is otlp or none.'],
    ['OTEL_TRACES_EXPORTER', 'otlp,console', 'allowed is otlp or none.'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'http', 'allowed is grpc or http/protobuf or http/json.'],
  ])('refuse %s=%s', (name, value, expected) => {
    expect(problems({ [name]: value })).toEqual([`${name} is "${value}"; ${expected}`]);
  });

  it('take the attributes of the resource, and its service.name where no other is set', () => {
    const env = {
      ...COLLECTOR,
      OTEL_RESOURCE_ATTRIBUTES: ' k8s.pod.name=api-7 , team=a%2Cb%3Dc,empty=,service.name=money,',
    };
    const attributes = { 'k8s.pod.name': 'api-7', team: 'a,b=c', empty: '', 'service.name': 'money' };
    expect(read(env)).toMatchObject({ attributes, serviceName: 'money' });
    expect(read({ ...env, OTEL_SERVICE_NAME: 'own' })).toMatchObject({ attributes, serviceName: 'own' });
  });

  it.each([
    'word',
    '=value',
    'a=b=c',
    'a=1,a=2',
    'a=%zz',
    `a=${'x'.repeat(256)}`,
    `${'x'.repeat(256)}=a`,
    Array.from({ length: 65 }, (_, index) => `key${index}=x`).join(','),
  ])('refuse the attributes %j', (value) => {
    const [problem, ...others] = problems({ OTEL_RESOURCE_ATTRIBUTES: value });
    expect(problem).toMatch(
      /^OTEL_RESOURCE_ATTRIBUTES is ".*; allowed is up to 64 different keys as key=value, separated by commas, each part percent-encoded and up to 255 characters\.$/,
    );
    expect(others).toEqual([]);
  });
});
