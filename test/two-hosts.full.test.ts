import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMongoStore } from '../src/adapters/store/mongo/mongo-store.ts';
import { systemClock } from '../src/ports/clock.ts';
import { createKeyring, type SecretKeyList } from '../src/services/host/keyring.ts';
import { createSecrets } from '../src/services/host/secrets.ts';
import { type HostProcess, runProgram, startHostProcess } from './helpers/host-process.ts';
import { startMongoServer } from './helpers/mongo-server.ts';

const ORIGIN = 'https://api.example.org';
const bound = (plain: string) => ({ plain, boundTo: ORIGIN });

const mongo = await startMongoServer();
afterAll(() => mongo?.stop());

describe.runIf(mongo !== null)('two hosts on one MongoDB', () => {
  const env = {
    MONGODB_URI: mongo?.newUri() ?? '',
    SECRET_KEY: 'a secret that both of the hosts share',
    DEMO_API_KEY: 'demo_of_both_hosts',
  };
  let hosts: HostProcess[];
  beforeAll(async () => {
    hosts = [await startHostProcess(env), await startHostProcess(env)];
  });
  afterAll(() => Promise.all(hosts.map((host) => host.stop())));

  const suggest = (host: HostProcess, key: string) =>
    fetch(`${host.url}/domcomp/v1/suggest?keywords=a`, { headers: { 'x-api-key': key } });
  const statusOf = async (host: HostProcess, key: string) => (await suggest(host, key)).status;

  test('have one default tenant', async () => {
    const { stdout } = await runProgram(['tenants', 'list', '--json'], env);
    expect(JSON.parse(stdout)).toMatchObject([{ id: 'default', status: 'active' }]);
  });

  test('count the requests of a key together', async () => {
    const key = await hosts[0]!.createKey('--per-day', '30', '--per-second', '1000');
    const statuses = await Promise.all(Array.from({ length: 60 }, (_, i) => statusOf(hosts[i % 2]!, key)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
  });

  test('both stop a revoked key within a second', async () => {
    const made = await runProgram(['keys', 'create', '--name', 'a', '--json'], env);
    const { id, key } = JSON.parse(made.stdout) as { id: string; key: string };
    for (const host of hosts) expect(await statusOf(host, key)).toBe(200);
    expect((await runProgram(['keys', 'revoke', id], env)).code).toBe(0);
    await Promise.all(hosts.map((host) => expect.poll(() => statusOf(host, key), { interval: 50 }).toBe(403)));
  });

  test('can be given another key: everything is sealed anew under it', async () => {
    const store = await createMongoStore(env.MONGODB_URI);
    const sealedUnder = (...keys: SecretKeyList) =>
      createSecrets({ secrets: store.secrets, keyring: createKeyring(keys), clock: systemClock });
    await sealedUnder(env.SECRET_KEY).putSecret('default', 'upstream-api-key', bound('plain-key'));
    const SECRET_KEY = 'another secret that both hosts share';
    const rotated = { ...env, SECRET_KEY, SECRET_KEY_PREVIOUS: env.SECRET_KEY };
    const { code, stdout } = await runProgram(['secrets', 'rotate'], rotated);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('1 anew') });
    expect(await sealedUnder(SECRET_KEY).findSecret('default', 'upstream-api-key', ORIGIN)).toBe('plain-key');
    await store.close();
  });
});
