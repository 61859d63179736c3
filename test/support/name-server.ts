import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';

const TYPES: Record<number, 4 | 6> = { 1: 4, 28: 6 };
const CODES = { 'server failure': 2, 'no such name': 3, refused: 5 } as const;

/** A DNS answer: addresses of the requested family (others are left out), the raw bytes of an answer, or the kind of failure. */
export type NameAnswer = readonly string[] | Buffer | keyof typeof CODES | 'silence';
/** The answer for a name. `time` counts the questions for this name and family, from 0. */
export type NameAnswers = (family: 4 | 6, time: number) => NameAnswer;

interface Question {
  name: string;
  type: number;
  end: number;
}

/** A DNS server on a loopback port, for resolvers that are configured to use it. */
export class NameServer {
  /** Names that were asked for, in order. */
  readonly asked: string[] = [];
  /** The answer for names without one of their own. */
  otherwise: NameAnswer = 'no such name';
  private readonly sayings = new Map<string, NameAnswers>();
  private readonly times = new Map<string, number>();

  private constructor(private readonly socket: Socket) {
    socket.on('message', (query: Buffer, peer) => this.answer(query, peer));
  }

  static async open(): Promise<NameServer> {
    const socket = createSocket('udp4');
    const server = new NameServer(socket);
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return server;
  }

  /** `address:port` */
  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  /** Sets the answer for a name: always the same, or computed by `said` from family and time. */
  says(name: string, said: NameAnswer | NameAnswers): void {
    this.sayings.set(name, typeof said === 'function' ? said : () => said);
    for (const family of [4, 6]) this.times.delete(`${name} ${family}`);
  }

  /** The number of questions for a name and family. */
  timesAsked(name: string, family: 4 | 6): number {
    return this.times.get(`${name} ${family}`) ?? 0;
  }

  close(): void {
    this.socket.close();
  }

  private answer(query: Buffer, peer: RemoteInfo): void {
    const question = read(query);
    const family = TYPES[question.type] ?? 4;
    const time = this.timesAsked(question.name, family);
    this.times.set(`${question.name} ${family}`, time + 1);
    this.asked.push(question.name);
    const said = this.sayings.get(question.name)?.(family, time) ?? this.otherwise;
    if (said === 'silence') return;
    const answer = Buffer.isBuffer(said) ? said : written(query, question, family, said);
    this.socket.send(answer, peer.port, peer.address);
  }
}

function read(query: Buffer): Question {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** An answer by RFC 1035, section 4: the question, then a record for each address with a pointer to its name. */
function written(
  query: Buffer,
  question: Question,
  family: 4 | 6,
  said: readonly string[] | keyof typeof CODES,
): Buffer {
  const [code, addresses] = typeof said === 'string' ? [CODES[said], []] : [0, said];
  const own = addresses.map(bytesOf).filter((bytes) => bytes.length === (family === 4 ? 4 : 16));
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(own.length, 6);
  header.fill(0, 8);
  const records = own.map((data) =>
    Buffer.from([0xc0, 12, 0, question.type, 0, 1, 0, 0, 0, 60, 0, data.length, ...data]),
  );
  return Buffer.concat([header, query.subarray(12, question.end), ...records]);
}

/** The bytes of an address in standard form; IPv6 without a dotted tail. */
function bytesOf(address: string): number[] {
  if (!address.includes(':')) return address.split('.').map(Number);
  const [head = '', tail] = address.split('::');
  const hextets = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const right = hextets(tail ?? '');
  const zeros = new Array<string>(8 - hextets(head).length - right.length).fill('0');
  return [...hextets(head), ...zeros, ...right].flatMap((text) => {
    const value = parseInt(text, 16);
    return [value >> 8, value & 255];
  });
}
