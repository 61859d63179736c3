import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type ConnectionBounds, ServerConnections } from './server.connections.js';

/** Stub socket with the properties that the bounds look at. */
class Line extends EventEmitter {
  writable = true;
  writableLength = 0;
  constructor(readonly remoteAddress: string) {
    super();
  }
  pause = (): void => undefined;
  resume = (): void => undefined;
  isPaused = (): boolean => false;
  destroySoon = (): void => this.destroy();
  destroy = (): void => {
    if (!this.writable) return;
    this.writable = false;
    this.emit('close');
  };
}

/** Request of a connection whose steps the test controls: sent, answered, answer taken. */
class Exchange {
  readonly request: IncomingMessage;
  readonly response = Object.assign(new EventEmitter(), { headersSent: false, shouldKeepAlive: true });
  constructor(readonly line: Line) {
    this.request = { socket: line } as unknown as IncomingMessage;
  }
  made(unsentBytes: number): void {
    this.line.writableLength = unsentBytes;
    this.response.headersSent = true;
    this.response.emit('prefinish');
  }
  taken(): void {
    this.line.writableLength = 0;
    this.response.emit('close');
  }
}

const BOUNDS: ConnectionBounds = {
  connections: 6,
  connectionsPerAddress: 3,
  requestsAhead: 2,
  sendTimeoutSeconds: 10,
  unsentBytes: 1000,
};

describe('connections of a server', () => {
  let connections: ServerConnections;
  let answered: unknown[];
  beforeEach(() => {
    jest.useFakeTimers();
    answered = [];
    connections = new ServerConnections(BOUNDS, (request) => void answered.push(request), {
      isProxy: (address) => address === '10.0.0.1',
      callerOf: ({ socket }) => socket.remoteAddress!,
    });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const open = (address: string): Line => {
    const line = new Line(address);
    expect(connections.admit(line as unknown as Socket)).toBeNull();
    return line;
  };
  const refused = (address: string): unknown => connections.admit(new Line(address) as unknown as Socket);
  const ask = (line: Line): Exchange => {
    const exchange = new Exchange(line);
    connections
      .of(line as unknown as Socket)!
      .take(exchange.request, exchange.response as unknown as ServerResponse);
    return exchange;
  };
  const pass = (ms: number): void => void jest.advanceTimersByTime(ms);

  it('of one address: the one that waits for its caller longest makes room, once it is overdue', () => {
    const [first, second, third] = ['192.0.2.1', '192.0.2.1', '192.0.2.1'].map(open) as [Line, Line, Line];
    expect(refused('192.0.2.1')).toBe('address_full');
    expect(refused('::ffff:192.0.2.1')).toBe('address_full');
    pass(2_000);
    ask(first);
    open('192.0.2.1');
    expect([first.writable, second.writable, third.writable]).toEqual([true, false, true]);
    expect(connections.count).toBe(3);
  });

  it('of one address that are at work stay, however long', () => {
    for (let count = 0; count < 3; count++) ask(open('2001:db8::1'));
    pass(60_000);
    expect(refused('2001:db8::2')).toBe('address_full');
    open('2001:db8:0:1::1');
  });

  it('of a proxy count in all alone', () => {
    for (let count = 0; count < 6; count++) ask(open('10.0.0.1'));
    expect(refused('192.0.2.9')).toBe('server_full');
    expect(connections.cuts).toMatchObject({ address_full: 0, server_full: 1 });
  });

  it('that end make room, and leave nothing behind', () => {
    for (let count = 0; count < 10; count++) open('192.0.2.1').destroy();
    expect(connections.count).toBe(0);
  });

  it('are cut when an answer is not taken in time, and not while it is made', () => {
    const [slow, working, idle] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map(open) as [Line, Line, Line];
    ask(slow).made(10);
    ask(working);
    pass(9_000);
    connections.sweep();
    expect(slow.writable).toBe(true);
    pass(2_000);
    connections.sweep();
    expect([slow.writable, working.writable, idle.writable]).toEqual([false, true, true]);
  });

  it('lose what they do not take, the address that leaves most first, from its oldest', () => {
    const few = open('192.0.2.1');
    ask(few).made(300);
    const [first, second] = [open('192.0.2.2'), open('192.0.2.2')];
    ask(first).made(400);
    ask(second).made(250);
    const third = open('192.0.2.2');
    ask(third).made(250);
    expect([few, first, second, third].map(({ writable }) => writable)).toEqual([true, false, true, true]);
    expect(connections.cuts.unsent_bytes).toBe(1);
  });

  it('are not cut for what was taken meanwhile', () => {
    const line = open('192.0.2.1');
    const exchange = ask(line);
    exchange.made(900);
    line.writableLength = 100;
    ask(open('192.0.2.2')).made(500);
    expect(connections.cuts.unsent_bytes).toBe(0);
    exchange.taken();
    ask(open('192.0.2.3')).made(500);
    expect(connections.cuts.unsent_bytes).toBe(0);
  });

  it('answer what was sent ahead in turn; the last that fits ends the connection', () => {
    const line = open('192.0.2.1');
    const exchanges = [ask(line), ask(line), ask(line)];
    expect(answered).toEqual([exchanges[0]!.request]);
    expect(exchanges.map(({ response }) => response.shouldKeepAlive)).toEqual([true, true, false]);
    exchanges[0]!.taken();
    exchanges[1]!.taken();
    expect(answered).toEqual(exchanges.map(({ request }) => request));
  });
});
