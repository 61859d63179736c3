import {
  isNullable,
  type Operation,
  type Parameter,
  type Schema,
  typeOf,
} from '../conformance/operations.js';

/** A request that is valid but for one error. */
export interface Mutation {
  /** The field that the refusal has to name. */
  field: string;
  /** In a body: the JSON text of the field's value; null: the field is left out. In a query: the text appended to it. */
  text: string | null;
  /** Where the error is. */
  in: 'body' | 'query';
}

const json = JSON.stringify;
const texts = (keys: number, name: number, value: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: keys }, (_, n) => [String(n).padEnd(name, '.'), 'v'.repeat(value)]),
  );

/** Values that no field accepts, besides values of another type. */
const NOWHERE = [
  '1e400',
  '-1e400',
  '1e-400',
  '9007199254740993',
  '0.1234567890123456789',
  '"\\u0000"',
  '"\\ud83d"',
];

const OF_TYPE: Record<string, (schema: Schema) => string[]> = {
  string: ({ minLength, maxLength, pattern, enum: choices, format }) => [
    ...(minLength || pattern || choices ? ['""'] : []),
    ...(pattern === '\\S' ? ['"   "', '"\\u2003\\n"'] : []),
    ...(maxLength ? [json('x'.repeat(maxLength + 1)), json('\u{1f511}'.repeat(maxLength + 1))] : []),
    ...(choices
      ? [json(`${String(choices[0])} `), json(String(choices[0]).toUpperCase() + 'x'), '"toString"']
      : []),
    ...(pattern && pattern !== '\\S' ? ['"nonsense"', '"0x"', '"\\n"'] : []),
    ...(format === 'email' ? ['"nobody"', '"a@b"', '"a@@b.example"', '"a@b.example\\n"'] : []),
    ...(format === 'date-time'
      ? [
          '"yesterday"',
          '"2026-02-31T00:00:00Z"',
          '"2026-01-01"',
          '"2026-01-01T00:00:00+01:00"',
          '"+010000-01-01T00:00:00Z"',
          '"2026-01-01T24:00:01Z"',
        ]
      : []),
  ],
  integer: ({ minimum, maximum }) => [
    '1.5',
    '1e-320',
    String(minimum! - 1),
    String(maximum! + 1),
    '9007199254740992',
  ],
  number: ({ minimum, maximum, exclusiveMinimum }) => [
    ...(minimum === undefined ? [] : [String(minimum - 0.01), '-0']),
    ...(exclusiveMinimum === undefined ? [] : ['0', '-0', '-1', '1e-320', '0.0000001']),
    ...[String(maximum! + 1), '1.23456789', '1.0000000000001', '9007199254740992'],
  ],
  boolean: () => ['"true"', '0', '"yes"'],
  array: ({ minItems, maxItems, uniqueItems, items }) => [
    ...(minItems ? ['[]'] : []),
    ...(uniqueItems ? [json([items!.enum![0], items!.enum![0]])] : []),
    ...[
      '["nonsense"]',
      '[null]',
      '[[]]',
      '[1]',
      '{"0":"a"}',
      '{"length":1}',
      json(Array(maxItems! + 1).fill('x')),
    ],
  ],
  object: ({ maxProperties = 0, propertyNames }) => [
    ...[json(texts(maxProperties + 1, 3, 1)), '{"__proto__":"x"}', '{"constructor":"x"}'],
    ...['{"a":1e400}', '{"a":[9007199254740993]}', '{"a":1,"a":2}', nested(20), json(texts(1, 1, 4096))],
    // Metadata has limits beyond those of other free-form objects.
    ...(propertyNames?.maxLength ? [json(texts(1, propertyNames.maxLength + 1, 1)), nested(5)] : []),
  ],
};

const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

const EXAMPLES: Record<string, string> = {
  string: '"x"',
  number: '7.5',
  boolean: 'true',
  array: '["x"]',
  object: '{"x":"y"}',
};

function wrongValues(schema: Schema): string[] {
  const type = typeOf(schema);
  const others = Object.entries(EXAMPLES).filter(
    ([name]) => name !== type && !(type === 'integer' && name === 'number'),
  );
  return [
    ...(isNullable(schema) ? [] : ['null']),
    ...others.map(([, value]) => value),
    ...NOWHERE,
    ...OF_TYPE[type]!(schema),
  ];
}

/** A string without a pattern in its schema accepts any text: a malformed id is then an unknown id. */
export function mutationsOf({ body, parameters }: Operation): Mutation[] {
  return [...(body ? inBody(body) : []), ...inQuery(parameters)];
}

function inBody({ properties = {}, required = [] }: Schema): Mutation[] {
  const fields = Object.entries(properties);
  return [
    ...fields.flatMap(([field, schema]) =>
      wrongValues(schema).map((text): Mutation => ({ in: 'body', field, text })),
    ),
    ...required.map((field): Mutation => ({ in: 'body', field, text: null })),
    ...['colour', 'id', '__proto__', 'constructor', 'toString', 'hasOwnProperty', ''].map(
      (field): Mutation => ({ in: 'body', field, text: '"x"' }),
    ),
  ];
}

function inQuery(parameters: Parameter[]): Mutation[] {
  const wrong = (field: string, ...values: string[]): Mutation[] =>
    values.map((value) => ({ in: 'query', field, text: `${field}=${value}` }));
  const taken = parameters.filter((parameter) => parameter.in === 'query');
  return [
    ...wrong('colour', 'red', ''),
    ...wrong('__proto__', 'x'),
    ...wrong('__proto__%5Bx%5D', 'x'),
    ...wrong('constructor', 'x'),
    ...taken.flatMap(({ name, schema }) => [
      ...wrong(name, '', '%00', '%F0%9F%94%91'.repeat((schema.maxLength ?? 200) + 1), `a&${name}=b`),
      ...wrong(`${name}[]`, 'a').concat(wrong(`${name}[a]`, 'b'), wrong(`${name}%5B%5D`, 'a')),
      // A filter by a free text takes any that is not blank.
      ...(typeOf(schema) === 'integer' || (schema.pattern && schema.pattern !== '\\S')
        ? wrong(
            name,
            '0',
            String((schema.maximum ?? 500) + 1),
            'abc',
            '1.5',
            '-1',
            '1e2',
            '+5',
            '%205',
            '05',
            '0x10',
            '%D9%A5',
            '9007199254740993',
          )
        : []),
      ...(schema.enum ? wrong(name, 'toString', `${String(schema.enum[0])}%20`, 'null') : []),
      ...(name === 'from' || name === 'to'
        ? wrong(name, 'yesterday', '2026-02-31', '2026-02-31T00:00:00Z', '2026-02-01T00:00:00', '0')
        : []),
    ]),
  ].map((mutation) => ({ ...mutation, field: decodeURIComponent(mutation.field) }));
}

/** The JSON text of a body, with the given text as the value of one field. */
export function mutatedBody(body: Record<string, unknown>, { field, text }: Mutation): string {
  const others = Object.entries(body).filter(([name]) => name !== field);
  const members = others.map(([name, value]) => `${json(name)}:${json(value)}`);
  return `{${[...members, ...(text === null ? [] : [`${json(field)}:${text}`])].join(',')}}`;
}
