import { describe, expect, it } from '@jest/globals';
import { Get, Post } from '@nestjs/common';
import { Shown, ShownOrNull } from '../answer/shown.js';
import type { Once } from '../request/idempotency.pipe.js';
import { Idempotent } from '../request/idempotent.decorator.js';
import { ListPage } from '../request/paging.js';
import { deprecation, Operation } from './operation.js';

class Shape {
  side: string;
}
class Other {
  height: number;
}

const access = { scopes: ['read'] } as const;
const declared = { summary: 'Read', description: 'Reads.', access };
const success = { object: 'shape', data: Shape, description: 'A shape.' } as const;
const list = { object: 'list', data: Shape, description: 'Shapes.' } as const;

/** A line with `@ts-expect-error` is a handler whose answer differs from its document; it must not compile. */
class Controller {
  @Get() @Operation({ ...declared, success }) data(): Shape {
    return { side: 'a' };
  }
  @Get() @Operation({ ...declared, success }) async promise(): Promise<Shape> {
    return { side: 'a' };
  }
  // @ts-expect-error other data
  @Get() @Operation({ ...declared, success }) async other(): Promise<Other> {
    return { height: 1 };
  }
  // @ts-expect-error data that no schema shows
  @Get() @Operation({ ...declared, success }) async more(): Promise<Shape & Other> {
    return { side: 'a', height: 1 };
  }
  @Get() @Operation({ ...declared, success: list }) listed(): ListPage<Shape> {
    return new ListPage([], null);
  }
  // @ts-expect-error one where a list is declared
  @Get() @Operation({ ...declared, success: list }) one(): Shape {
    return { side: 'a' };
  }
  // @ts-expect-error a list of others
  @Get() @Operation({ ...declared, success: list }) others(): ListPage<Other> {
    return new ListPage([], null);
  }
  @Post() @Operation({ ...declared, success }) once(@Idempotent() once: Once<Shape>): Promise<Shape> {
    return once(async () => ({ side: 'a' }));
  }
  // @ts-expect-error work that makes other data
  @Post() @Operation({ ...declared, success }) onceOther(@Idempotent() once: Once<Other>): Promise<Other> {
    return once(async () => ({ height: 1 }));
  }
}

/** A field with `@ts-expect-error` has a type that its schema does not show; it must not compile. */
class Fields {
  @Shown.text('A text.', 'a') text: string;
  @ShownOrNull.text('A text, or null.', null) nullable: string | null;
  @Shown.choice(['a', 'b'], 'A choice.', 'a') choice: 'a' | 'b';
  // @ts-expect-error null is not shown
  @Shown.text('A text.', 'a') orNull: string | null;
  // @ts-expect-error a number is no text
  @Shown.text('A text.', 'a') number: number;
  // @ts-expect-error other texts are no choices
  @Shown.choice(['a', 'b'], 'A choice.', 'a') any: string;
  // @ts-expect-error it may be missing
  @Shown.text('A text.', 'a') missing?: string;
  // @ts-expect-error a rate is rounded
  @Shown.rate('A rate.', 0.1) rate: number;
  // @ts-expect-error another record
  @Shown.record(() => Shape, 'A record.') record: Other;
}

describe('an operation', () => {
  it('An operation compiles only with a handler that returns the declared type', () => {
    expect(new Controller().data()).toEqual({ side: 'a' });
    expect(new Fields()).toBeInstanceOf(Fields);
  });
});

const SINCE = new Date('2026-11-01T00:00:00.000Z');

it('A deprecation has headers for its date, its successor, and its sunset if set', () => {
  const headers = { Deprecation: '@1793491200', Link: '</new>; rel="successor-version"' };
  expect(deprecation(SINCE, '/new')).toEqual(headers);
  expect(deprecation(SINCE, '/new', new Date('2027-07-31T23:59:59.000Z'))).toEqual({
    ...headers,
    Sunset: 'Sat, 31 Jul 2027 23:59:59 GMT',
  });
});
