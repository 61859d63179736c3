import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { SERVES } from '../support/child-environment.js';
import { freePort } from '../support/replica.js';
import { until } from '../support/until.js';
import { asPostgres, PG_BIN } from './debian-postgres.js';

const ADDRESS = '127.0.0.1';
const NODES = ['one', 'two', 'three'] as const;
const PATIENCE_MS = 120_000;
/** Settings of a role's sessions, which a pooler in transaction mode does not pass on. */
const POOLED = [
  `search_path = 'live'`,
  `timezone = 'UTC'`,
  `statement_timeout = '30s'`,
  `lock_timeout = '10s'`,
  `idle_in_transaction_session_timeout = '30s'`,
];

type Node = (typeof NODES)[number];

interface Place {
  port: string;
  api: string;
  data: string;
  config: string;
}

/** A three-node cluster of Patroni with etcd, HAProxy and PgBouncer, by the files of `deploy/ha/`, on loopback in a folder of its own. */
export class HaCluster {
  private readonly root = mkdtempSync(join(tmpdir(), 'vaultline-ha-'));
  private readonly programs = new Map<string, ChildProcess>();
  private readonly places = new Map<Node, Place>();
  private readonly ports: Record<string, string> = {};

  static async start(): Promise<HaCluster> {
    const cluster = new HaCluster();
    try {
      await cluster.begin();
      return cluster;
    } catch (error) {
      const { logs } = cluster;
      await cluster.close();
      throw new Error(`The cluster does not start: ${logs}`, { cause: error });
    }
  }

  /** URL of the leader, through HAProxy. */
  get directUrl(): string {
    return `postgres://postgres:x@${ADDRESS}:${this.ports['LEADER_PORT']}/vaultline`;
  }

  /** URL of the leader, through PgBouncer and HAProxy. */
  get pooledUrl(): string {
    return this.directUrl.replace(`:${this.ports['LEADER_PORT']}/`, `:${this.ports['POOLER_PORT']}/`);
  }

  async leader(): Promise<Node | null> {
    const answers = await Promise.all(NODES.map((node) => this.answers(node, 'primary')));
    return NODES[answers.indexOf(true)] ?? null;
  }

  /** Waits until there are a leader, a synchronous standby and a further one. */
  async untilWhole(): Promise<void> {
    await until(async () => {
      const [leads, follow, synchronous] = await Promise.all(
        ['primary', 'replica', 'sync'].map(async (state) => {
          const all = await Promise.all(NODES.map((node) => this.answers(node, state)));
          return all.filter(Boolean).length;
        }),
      );
      return leads === 1 && follow === 2 && synchronous === 1;
    }, PATIENCE_MS);
  }

  /** Kills a node's Patroni and PostgreSQL, as a machine that is lost. */
  async kill(node: Node): Promise<void> {
    const patroni = this.programs.get(node)!;
    const all = this.processesOf(node);
    for (const pid of all) signal(pid, 'SIGKILL');
    if (patroni.exitCode === null && patroni.signalCode === null) await once(patroni, 'exit');
  }

  async revive(node: Node): Promise<void> {
    await this.run(node, ['patroni', this.places.get(node)!.config]);
  }

  /** Stops all processes of a node without ending them: it neither answers nor closes a connection, as behind a network that drops all packets. */
  pause(node: Node): () => void {
    const all = this.processesOf(node);
    for (const pid of all) signal(pid, 'SIGSTOP');
    return () => {
      for (const pid of all) signal(pid, 'SIGCONT');
    };
  }

  async switchOver(from: Node): Promise<void> {
    const { api } = this.places.get(from)!;
    const response = await fetch(`http://${ADDRESS}:${api}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: from }),
    });
    if (!response.ok) throw new Error(`No switchover: ${await response.text()}`);
  }

  /** Ends of the logs of all programs. */
  get logs(): string {
    return [...this.programs.keys()]
      .map((name) => `${name}: ${readFileSync(join(this.root, `${name}.log`), 'utf8').slice(-1_500)}`)
      .join('\n');
  }

  async close(): Promise<void> {
    for (const node of this.places.keys()) await this.kill(node).catch(() => undefined);
    for (const child of this.programs.values()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  private async begin(): Promise<void> {
    chmodSync(this.root, 0o777);
    for (const name of ['ETCD', 'PEER', 'LEADER_PORT', 'POOLER_PORT'])
      this.ports[name] = String(await freePort());
    const etcd = `${ADDRESS}:${this.ports['ETCD']}`;
    const peer = `http://${ADDRESS}:${this.ports['PEER']}`;
    await this.run('etcd', [
      'etcd',
      ...['--name', 'etcd', '--data-dir', join(this.root, 'etcd')],
      ...['--listen-client-urls', `http://${etcd}`, '--advertise-client-urls', `http://${etcd}`],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
      ...['--initial-cluster', `etcd=${peer}`, '--unsafe-no-fsync'],
    ]);
    await until(
      async () => (await fetch(`http://${etcd}/health`).catch(() => null))?.ok === true,
      PATIENCE_MS,
    );
    for (const [index, node] of NODES.entries()) {
      const nodeState = {
        port: String(await freePort()),
        api: String(await freePort()),
        data: join(this.root, node),
        config: '',
      };
      nodeState.config = this.written('patroni.yml', `${node}.yml`, {
        NODE: node,
        API_PORT: nodeState.api,
        ETCD: etcd,
        PORT: nodeState.port,
        DATA: nodeState.data,
        PG_BIN,
        SOCKETS: this.root,
        PASSWORD: 'x',
        HBA: `host all all ${ADDRESS}/32 trust`,
        HBA_REPLICATION: `host replication all ${ADDRESS}/32 trust`,
      });
      this.ports[`PORT_${index + 1}`] = nodeState.port;
      this.ports[`API_${index + 1}`] = nodeState.api;
      this.places.set(node, nodeState);
      await this.revive(node);
      // Patroni's first node creates the cluster; the others copy it.
      if (index === 0) await until(async () => (await this.leader()) === node, PATIENCE_MS);
    }
    await this.run('haproxy', ['haproxy', '-db', '-f', this.written('haproxy.cfg', 'haproxy.cfg')]);
    const users = join(this.root, 'users.txt');
    writeFileSync(users, '"postgres" "x"\n');
    const pooler = { AUTH: 'trust', USERS: users };
    await this.run('pgbouncer', ['pgbouncer', this.written('pgbouncer.ini', 'pgbouncer.ini', pooler)]);
    await this.untilWhole();
    const session = new Client({ connectionString: this.directUrl.replace('/vaultline', '/postgres') });
    await until(() => session.connect().then(() => true), PATIENCE_MS);
    await session.query('CREATE DATABASE vaultline');
    for (const setting of POOLED)
      await session.query(`ALTER ROLE postgres IN DATABASE vaultline SET ${setting}`);
    await session.end();
  }

  /** Writes a file of `deploy/ha/` with its names in braces filled in. */
  private written(file: string, name: string, values: Record<string, string> = {}): string {
    const all: Record<string, string> = { ADDRESS, ...this.ports, ...values };
    const text = readFileSync(join('deploy/ha', file), 'utf8').replace(/\$\{(\w+)\}/g, (_, key: string) => {
      if (all[key] === undefined) throw new Error(`${file} names ${key}.`);
      return all[key];
    });
    const path = join(this.root, name);
    writeFileSync(path, text, { mode: 0o644 });
    return path;
  }

  private async run(name: string, command: readonly string[]): Promise<void> {
    const log = openSync(join(this.root, `${name}.log`), 'a');
    const [program, ...args] = asPostgres(...command);
    const PATH = `${process.env['PATH']}:/usr/sbin`;
    const child = spawn(program, args, {
      cwd: this.root,
      env: { ...process.env, PATH },
      stdio: ['ignore', log, log],
      ...SERVES,
    });
    await once(child, 'spawn');
    this.programs.set(name, child);
  }

  private async answers(node: Node, state: string): Promise<boolean> {
    const nodeState = this.places.get(node);
    if (!nodeState) return false;
    const url = `http://${ADDRESS}:${nodeState.api}/${state}`;
    const options = { signal: AbortSignal.timeout(1_000) };
    return (await fetch(url, options).catch(() => null))?.status === 200;
  }

  /** Patroni's process, the server's and its children. */
  private processesOf(node: Node): number[] {
    const { data } = this.places.get(node)!;
    const patroni = this.programs.get(node)!.pid!;
    let server: number;
    try {
      server = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    } catch {
      return [patroni];
    }
    const children = spawnSync('ps', ['-o', 'pid=', '--ppid', String(server)], {
      encoding: 'utf8',
      timeout: 10_000,
    });
    return [
      patroni,
      server,
      ...children.stdout
        .split('\n')
        .map(Number)
        .filter((pid) => pid > 1),
    ];
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}
