import { createPublicKey, sign, verify } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts';
import { createCourseServices } from '../../src/compose/courses.ts';
import { createRecordServices } from '../../src/compose/record-services.ts';
import { readConfig } from '../../src/config.ts';
import { type Host, startHost } from '../../src/host.ts';
import { systemClock } from '../../src/ports/clock.ts';
import { makeSigningKeyPair } from '../../src/services/courses/lti-registrations/signing-keys.ts';
import { createAdminBrowser } from '../faces/admin/admin-browser.ts';
import { secretKeysOf, tester } from '../helpers/open-services.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { anyPlatform } from '../services/courses/launch-samples.ts';

const PASSWORD = 'four words about nothing';
const OTHER_KEY = 'the key of another host, and long enough';

function start(
  dataDir: string,
  { allowLostSecrets = false, ...settings }: { allowLostSecrets?: boolean; SECRET_KEY?: string } = {},
): Promise<Host> {
  const given = { DATA_DIR: dataDir, LOG_LEVEL: 'silent', PORT: '0', HOST: '127.0.0.1', DEMO: '0' };
  const config = readConfig({ ...given, ADMIN_PASSWORD: PASSWORD, ...settings });
  return startHost({ config, version: '0.0.0', allowLostSecrets });
}

/** A folder on which a host has run and is stopped. */
async function makeFolder() {
  const dataDir = makeTempDir();
  await (await start(dataDir)).close();
  return { dataDir, keyFile: join(dataDir, 'secret.key'), storeFile: join(dataDir, 'skilldock.db') };
}

/** The same, with a platform and a key of an upstream, both sealed. */
async function makeFolderWithSecrets() {
  const folder = await makeFolder();
  const { ltiRegistrations, tenants } = openStored(folder, readFileSync(folder.keyFile, 'utf8'));
  const platform = await ltiRegistrations.create(tester, anyPlatform);
  const { version } = await tenants.getTenant('default');
  const upstream = { kind: 'direct', url: 'https://api.example.org' } as const;
  await tenants.changeUpstream(tester, 'default', { version, upstream, apiKey: 'key of the upstream' });
  return { ...folder, platform };
}

/** Services beside the host, until the test is over. */
function openStored({ storeFile }: { readonly storeFile: string }, key: string) {
  const store = createSqliteStore(storeFile);
  onTestFinished(() => store.close());
  const deps = { store, secretKeys: secretKeysOf(key), clock: systemClock, onProblem: () => undefined };
  const records = createRecordServices(deps);
  const usage = { count: () => undefined } as never;
  const insight = { noteObject: () => undefined };
  return {
    ...records,
    store,
    ...createCourseServices({ ...deps, ...records, usage, insight, makeKeyPair: makeSigningKeyPair }),
  };
}

const refused = (code: string, words: RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(words) });

test('a start without the secret key that the store is sealed under stops, and makes none', async () => {
  const { dataDir, keyFile } = await makeFolderWithSecrets();
  const key = readFileSync(keyFile, 'utf8');
  rmSync(keyFile);
  await expect(start(dataDir)).rejects.toEqual(refused('SECRETS_LOST', /is missing.*--allow-lost-secrets/));
  expect(existsSync(keyFile)).toBe(false);
  writeFileSync(keyFile, '');
  await expect(start(dataDir)).rejects.toEqual(refused('SECRETS_LOST', /is empty.*--allow-lost-secrets/));
  expect(readFileSync(keyFile, 'utf8')).toBe('');
  writeFileSync(keyFile, OTHER_KEY);
  const others = /does not open 2 of the secrets .*default\/lti-key:.*default\/upstream-api-key.*restore secret\.key/;
  await expect(start(dataDir)).rejects.toEqual(refused('SECRETS_LOST', others));
  await expect(start(dataDir, { SECRET_KEY: OTHER_KEY })).rejects.toEqual(
    refused('SECRETS_LOST', /of the environment.*SECRET_KEY_PREVIOUS/),
  );
  writeFileSync(keyFile, key);
  await (await start(dataDir)).close();
});

test('a start with lost secrets makes its own keys anew, names the others on the overview, and needs to be told once', async () => {
  const { dataDir, keyFile, storeFile, platform } = await makeFolderWithSecrets();
  const lost = readFileSync(keyFile, 'utf8');
  rmSync(keyFile);
  await (await start(dataDir, { allowLostSecrets: true })).close();
  const host = await start(dataDir);
  onTestFinished(() => host.close());

  const { keys } = (await (await fetch(`${host.url}/lti/keys`)).json()) as { keys: { kid: string }[] };
  const { ltiRegistrations, audit, secrets } = openStored({ storeFile }, readFileSync(keyFile, 'utf8'));
  const renewed = await ltiRegistrations.getRegistration(platform.id);
  expect(keys.map(({ kid }) => kid)).toEqual([renewed.keyId]);
  expect(renewed.keyId).not.toBe(platform.keyId);
  const { privateKey } = await ltiRegistrations.signingKeyOf(renewed);
  const signature = sign('sha256', Buffer.from('text'), privateKey);
  const publicKey = createPublicKey({ key: { ...keys[0] }, format: 'jwk' });
  expect(verify('sha256', Buffer.from('text'), publicKey, signature)).toBe(true);

  const owner = createAdminBrowser(host.url);
  await owner.post('/sign-in', { name: 'admin', password: PASSWORD });
  expect(await owner.page('')).toContain('data-concern="secret-unreadable"');
  const wanted = { scope: null, search: '', action: null, period: { from: null, until: null } };
  const { items } = await audit.listEntries({ ...wanted, ascending: false, page: 0, pageSize: 9 });
  const entry = items.find(({ action }) => action === 'secrets.given-up');
  expect(entry?.details).toEqual({ renewed: '1', givenUp: '1' });
  expect(await owner.page('/audit')).toContain('Lost secrets removed');

  await expect(secrets.findSecret('default', 'upstream-api-key', 'https://api.example.org')).rejects.toThrow();
  const found = openStored({ storeFile }, lost).secrets;
  expect(await found.findSecret('default', 'upstream-api-key', 'https://api.example.org')).toBe('key of the upstream');
});

test('a start on the folder of a host whose store is gone or empty stops, and makes none, unless it is told to', async () => {
  const { dataDir, storeFile } = await makeFolder();
  rmSync(storeFile);
  const lost = (what: string) =>
    refused('STORE_LOST', new RegExp(`is ${what}.*skilldock restore.*--allow-lost-secrets`));
  await expect(start(dataDir)).rejects.toEqual(lost('missing'));
  expect(existsSync(storeFile)).toBe(false);
  writeFileSync(storeFile, '');
  await expect(start(dataDir)).rejects.toEqual(lost('empty'));
  expect(readFileSync(storeFile, 'utf8')).toBe('');
  await (await start(dataDir, { allowLostSecrets: true })).close();
  await (await start(dataDir)).close();
});

test('a folder with a key that was put there, or where a first start was killed, is that of a new host', async () => {
  const dataDir = makeTempDir();
  writeFileSync(join(dataDir, 'secret.key'), OTHER_KEY);
  writeFileSync(join(dataDir, 'skilldock.db'), '');
  await (await start(dataDir)).close();
  expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).toBe(OTHER_KEY);
});

test('uploads of a host that was killed are gone when the next one has started', async () => {
  const { dataDir } = await makeFolder();
  const uploads = join(dataDir, 'uploads');
  mkdirSync(uploads);
  writeFileSync(join(uploads, 'left.csv'), 'url,title\n');
  const host = await start(dataDir);
  onTestFinished(() => host.close());
  expect(existsSync(join(uploads, 'left.csv'))).toBe(false);
});
