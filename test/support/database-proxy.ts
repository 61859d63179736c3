import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Stands between an app and its database, so that a test can take the database away and give it back. */
export class DatabaseProxy {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    /** The database's URL, by way of here. */
    readonly url: string,
  ) {}

  static async open(databaseUrl: string): Promise<DatabaseProxy> {
    const behind = new URL(databaseUrl);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = new URL(databaseUrl);
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const proxy = new DatabaseProxy(server, url.href);
    server.on('connection', (near) => {
      const far = connect(Number(behind.port), behind.hostname);
      near.pipe(far).pipe(near);
      for (const socket of [near, far]) {
        proxy.sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          near.destroy();
          far.destroy();
          proxy.sockets.delete(socket);
        });
      }
    });
    return proxy;
  }

  /** Breaks every connection and refuses new ones. */
  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  /** Lets connections through again, at the same address. */
  async restore(): Promise<void> {
    await new Promise<void>((resolve) =>
      this.server.listen(Number(new URL(this.url).port), '127.0.0.1', resolve),
    );
  }
}
