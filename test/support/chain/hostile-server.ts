import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Changes a row of the server's data. @param call method and path, such as `GET /moves/mov_1` */
export type Alter = (row: any, call: string) => any;
/** Answers in place of the server, if it returns true. */
export type Reply = (call: string, response: ServerResponse) => boolean;
type Kind = 'moves' | 'withdrawals';

const JSON_TYPE = { 'content-type': 'application/json' };
const UNTAKEN = { status: 'requested', taken_at: null, taken_by: null, ended_at: null, failure: null };

/** Stands between the executor and its server as one that was taken over: it alters answers, and has orders and withdrawals of its own. */
export class HostileServer {
  alter: Alter | null = null;
  reply: Reply | null = null;
  private readonly forged = new Map<string, any>();
  private server: Server;

  private constructor(private readonly target: string) {}

  static async open(target: string): Promise<HostileServer> {
    const hostile = new HostileServer(target);
    hostile.server = createServer((request, response) => {
      hostile.answer(request, response).catch(() => response.destroy());
    });
    await once(hostile.server.listen(0, '127.0.0.1'), 'listening');
    return hostile;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** Passes everything on, and lists no order of its own that nobody took. */
  beHonest(): void {
    this.alter = this.reply = null;
    for (const [id, { status }] of this.forged) if (status === 'requested') this.forged.delete(id);
  }

  move(from: string, to: string, amount: unknown, asset = 'USDC'): string {
    const vaults = { from_vault_id: from, to_vault_id: to, position_id: null };
    return this.forge('moves', { ...vaults, asset, amount, urgent: false });
  }

  withdrawal(
    wallet: string,
    amount: number,
    parts: { vault_id: string; amount: number }[],
    asset = 'USDC',
  ): string {
    return this.forge('withdrawals', { wallet, amount, parts, asset });
  }

  statusOf(id: string): string {
    return this.forged.get(id).status;
  }

  private forge(kind: Kind, record: object): string {
    const id = `${kind === 'moves' ? 'mov' : 'wdr'}_forged_${Math.random().toString(36).slice(2)}`;
    this.forged.set(id, { id, kind, ...UNTAKEN, ...record });
    return id;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const { pathname, searchParams } = new URL(request.url!, this.target);
    const call = `${request.method} ${pathname.replace('/api/v1', '')}`;
    if (this.reply?.(call, response)) return;
    const [, kind, id, step] = /^\w+ \/(\w+)(?:\/(\w+))?(?:\/(\w+))?$/.exec(call) ?? [];
    const forged = this.forged.get(id ?? '');
    if (forged) {
      if (step) this.report(forged, step, body);
      return void response.writeHead(step ? 201 : 200, JSON_TYPE).end(this.altered({ data: forged }, call));
    }
    const headers = Object.fromEntries(
      ['authorization', 'content-type', 'idempotency-key'].flatMap((name) =>
        request.headers[name] === undefined ? [] : [[name, request.headers[name] as string]],
      ),
    );
    const init = { method: request.method!, headers, ...(body !== '' && { body }) };
    const answer = await fetch(new URL(request.url!, this.target), init);
    const answered = (await answer.json()) as { data: any };
    if (id === undefined && request.method === 'GET' && Array.isArray(answered.data)) {
      const status = searchParams.get('status');
      const own = [...this.forged.values()].filter((row) => row.kind === kind && row.status === status);
      answered.data = [...own, ...answered.data];
    }
    response
      .writeHead(answer.status, JSON_TYPE)
      .end(answer.ok ? this.altered(answered, call) : JSON.stringify(answered));
  }

  private altered(answer: { data: any }, call: string): string {
    const { alter } = this;
    const { data } = answer;
    if (alter)
      answer.data = Array.isArray(data) ? data.flatMap((row) => alter(row, call)) : alter(data, call);
    return JSON.stringify(answer);
  }

  /** What a server would do with a report. */
  private report(record: any, step: string, body: string): void {
    const at = new Date().toISOString();
    if (step === 'taken') {
      record.taken_at = at;
      record.status =
        record.kind === 'withdrawals'
          ? 'taken'
          : record.from_vault_id.startsWith('vlt_idle_')
            ? 'arriving'
            : 'redeeming';
    } else if (step === 'redeemed' && !record.to_vault_id.startsWith('vlt_idle_')) {
      record.status = 'arriving';
      record.amount = JSON.parse(body).amount;
    } else {
      record.status = step === 'redeemed' ? 'settled' : step;
      record.ended_at = at;
    }
  }
}
