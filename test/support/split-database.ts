import { randomBytes } from 'node:crypto';
import type { Contract } from '../../src/config/deployments.js';
import { administrate, createTestDatabase, SERVER_URL, type TestDatabase } from './database.js';

/** URLs of the two roles of a deployment: the owner of its schemas, and the role that its server connects as. */
export interface Roles {
  owner: string;
  server: string;
}

/** An empty database for both deployments, with two roles each, as an operator creates them. */
export interface SplitDatabase extends TestDatabase {
  roles: Record<Contract, Roles>;
}

export async function createSplitDatabase(): Promise<SplitDatabase> {
  const database = await createTestDatabase('template1');
  const administrator = process.env[SERVER_URL]!;
  const password = randomBytes(12).toString('hex');
  const made: string[] = [];
  const role = async (name: string, right: 'CREATE' | 'CONNECT'): Promise<string> => {
    const url = new URL(database.url);
    const full = `${url.pathname.slice(1)}_${name}`;
    await administrate(administrator, `CREATE ROLE ${full} LOGIN PASSWORD '${password}'`);
    made.push(full);
    await administrate(administrator, `GRANT ${right} ON DATABASE ${url.pathname.slice(1)} TO ${full}`);
    [url.username, url.password] = [full, password];
    return url.href;
  };
  const rolesOf = async (name: string): Promise<Roles> => ({
    owner: await role(`${name}_owner`, 'CREATE'),
    server: await role(`${name}_server`, 'CONNECT'),
  });
  const roles = { partner: await rolesOf('live'), sandbox: await rolesOf('sandbox') };
  return {
    ...database,
    roles,
    drop: async () => {
      await database.drop();
      for (const name of made) await administrate(administrator, `DROP ROLE ${name}`);
    },
  };
}
