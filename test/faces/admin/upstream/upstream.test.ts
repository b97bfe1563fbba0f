import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createUpstreams } from '../../../../src/adapters/remote/upstreams.ts';
import type { UpstreamKeyName } from '../../../../src/services/host/secrets.ts';
import { findUpstreamKeyDestination } from '../../../../src/services/tenants/upstream-keys.ts';
import { type FakeUpstream, MARKETPLACE_KEY, startFakeUpstream, UPSTREAM_KEY } from '../../../fakes/upstream.ts';
import { readAudit } from '../read-audit.ts';
import { fieldOf, problemOf, textOf, valuesOf } from '../read-page.ts';
import { type RunningAdmin, type SignedInBrowser, startAdmin } from '../start-admin.ts';

const PATH = '/tenants/lyon/upstream';

let admin: RunningAdmin;
let upstream: FakeUpstream;
let manager: SignedInBrowser;

beforeEach(async () => {
  upstream = await startFakeUpstream();
  admin = await startAdmin();
  await admin.addTenant('Lyon');
  manager = await admin.signInAs('manager', ['lyon']);
});
afterEach(async () => {
  await admin.close();
  await upstream.close();
});

const direct = (more: Record<string, string> = {}) => ({
  version: '1',
  kind: 'direct',
  url: upstream.url,
  marketplaceUrl: '',
  apiKey: '',
  marketplaceKey: '',
  ...more,
});

const gateway = (more: Record<string, string> = {}) =>
  direct({ kind: 'gateway', marketplaceUrl: upstream.marketplaceUrl, ...more });

const forms = { direct, gateway };

const saved = async () => (await admin.deps.tenants.getTenant('lyon')).upstream;
const version = async () => String((await admin.deps.tenants.getTenant('lyon')).version);
const findKey = async (name: UpstreamKeyName) =>
  admin.secrets.findSecret('lyon', name, findUpstreamKeyDestination(await saved(), name));

describe('a private address, where it is for owners', () => {
  const called = () => upstream.requests.length;
  let ways: ReturnType<typeof createUpstreams>;
  beforeEach(async () => {
    await admin.close();
    ways = createUpstreams({ privateAccess: { hosts: [], isOpenToOwners: true } });
    admin = await startAdmin({ upstreams: ways, deps: { opensPrivateToOwners: true } });
    await admin.addTenant('Lyon');
    manager = await admin.signInAs('manager', ['lyon']);
    upstream.requests.length = 0;
  });
  afterEach(() => ways.close());

  const search = async () => {
    admin.clock.advance(1_000);
    return (await admin.deps.upstreams.learningOf('lyon')).ask('listProviders', {});
  };

  test('is called for an owner, and for people of the tenant from then on', async () => {
    const owner = await admin.signInAs('owner');
    const tested = await owner.post(`${PATH}/test`, direct({ apiKey: UPSTREAM_KEY, fragment: '1' }));
    expect(await tested.text()).not.toContain('ALLOW_PRIVATE');
    expect(called()).toBe(3);
    await owner.post(PATH, direct({ apiKey: UPSTREAM_KEY }));
    expect(await search()).toHaveLength(2);
    // A new key of the manager is for the same address.
    await manager.post(PATH, direct({ version: await version(), apiKey: 'another-key-01' }));
    expect(await search()).toHaveLength(2);
  });

  test('says what saving opens to an owner, and what changing ends to a manager', async () => {
    const owner = await admin.signInAs('owner');
    const opens = 'This address was entered by a manager, or by someone unknown.';
    const closes = 'An owner entered this address, so it can be in a private network.';
    const expectNotes = async (browser: SignedInBrowser, note: string | null) => {
      const page = textOf(await (await browser.get(PATH)).text());
      expect([opens, closes].filter((each) => page.includes(each))).toEqual(note === null ? [] : [note]);
    };
    for (const browser of [owner, manager]) await expectNotes(browser, null);
    await manager.post(PATH, direct());
    await expectNotes(owner, opens);
    await expectNotes(manager, null);
    const tested = await owner.post(`${PATH}/test`, direct({ version: await version() }));
    expect(textOf(await tested.text())).toContain(opens);
    await owner.post(PATH, direct({ version: await version() }));
    await expectNotes(owner, null);
    await expectNotes(manager, closes);
  });

  test('is not called for a manager, in the form and later, whatever fields are sent', async () => {
    for (const more of [{}, { isEnteredByOwner: 'true', isByOwner: 'true', role: 'owner' }]) {
      const tested = await manager.post(`${PATH}/test`, direct({ ...more, version: await version() }));
      expect(await tested.text()).toContain('ALLOW_PRIVATE');
      await manager.post(PATH, direct({ ...more, version: await version() }));
      await expect(search()).rejects.toMatchObject({ code: 'UPSTREAM_ADDRESS_REFUSED' });
    }
    const owner = await admin.signInAs('owner');
    await owner.post(PATH, direct({ version: await version() }));
    const path = direct({ version: await version(), url: `${upstream.url}/elsewhere` });
    await manager.post(PATH, path);
    await expect(search()).rejects.toMatchObject({ code: 'UPSTREAM_ADDRESS_REFUSED' });
    expect(called()).toBe(0);
  });
});

describe('saving', () => {
  test('keeps the address and seals the key, which no page shows again', async () => {
    const answer = await manager.post(PATH, direct({ url: ` ${upstream.url}/ `, apiKey: ` ${UPSTREAM_KEY} ` }));
    expect(answer.headers.get('location')).toBe(`/admin${PATH}?notice=upstream-saved`);
    expect(await saved()).toEqual({ kind: 'direct', url: upstream.url });
    expect(await findKey('upstream-api-key')).toBe(UPSTREAM_KEY);
    const page = await manager.follow(answer);
    expect(textOf(page)).toContain('saved, ends in …test, since Mar 1, 2026');
    expect(fieldOf(page, 'apiKey')).toBe('');
    expect(valuesOf(page, 'kind')).toEqual(['direct']);
    expect(fieldOf(page, 'url')).toBe(upstream.url);
    expect(textOf(await manager.page('/tenants/lyon'))).toContain('saved, ends in …test');
    for (const path of [PATH, '/tenants/lyon']) expect(await manager.page(path)).not.toContain(UPSTREAM_KEY);
    const trail = await readAudit(admin);
    expect(trail.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['tenant.upstream-changed', 'tenant.key-saved']),
    );
    expect(JSON.stringify(trail) + admin.log.join()).not.toContain(UPSTREAM_KEY);
  });

  test('a gateway has both addresses and both keys', async () => {
    await manager.post(PATH, gateway({ apiKey: UPSTREAM_KEY, marketplaceKey: MARKETPLACE_KEY }));
    const { url, marketplaceUrl } = upstream;
    expect(await saved()).toEqual({ kind: 'gateway', url, marketplaceUrl });
    expect(await findKey('marketplace-key')).toBe(MARKETPLACE_KEY);
    expect(await findKey('upstream-api-key')).toBe(UPSTREAM_KEY);
  });

  test('an empty key keeps the saved one, a ticked box removes it', async () => {
    await manager.post(PATH, direct({ apiKey: UPSTREAM_KEY }));
    await manager.post(PATH, direct({ version: await version(), url: `${upstream.url}/v1` }));
    expect(await findKey('upstream-api-key')).toBe(UPSTREAM_KEY);
    const answer = await manager.post(PATH, direct({ version: await version(), removeApiKey: '1' }));
    expect(answer.headers.get('location')).toContain('notice=upstream-saved');
    expect(answer.headers.get('location')).not.toContain('key-removed');
    expect(await findKey('upstream-api-key')).toBeNull();
  });

  test('another host drops the saved key, and the page says so', async () => {
    await manager.post(PATH, direct({ apiKey: UPSTREAM_KEY }));
    const elsewhere = direct({ version: await version(), url: 'https://api.example.org' });
    const page = await manager.follow(await manager.post(PATH, elsewhere));
    expect(textOf(page)).toContain('The key saved for the former address was removed');
    expect(textOf(page)).toContain('none saved');
    expect(await findKey('upstream-api-key')).toBeNull();
  });

  test('the built-in engine needs nothing, and nothing that is hidden is looked at', async () => {
    await manager.post(PATH, direct({ apiKey: UPSTREAM_KEY }));
    expect(textOf(await manager.page(PATH))).toContain('the saved address and keys are deleted when you save');
    const local = direct({ version: await version(), kind: 'local', url: 'nonsense', marketplaceUrl: '%' });
    expect((await manager.post(PATH, local)).status).toBe(303);
    expect(await saved()).toEqual({ kind: 'local' });
    expect(await findKey('upstream-api-key')).toBeNull();
  });

  test.each<[string, keyof typeof forms, Record<string, string>, string]>([
    ['url', 'direct', { url: '' }, 'Enter the address'],
    ['url', 'direct', { url: 'api.example.org' }, 'This isn’t a web address'],
    ['url', 'direct', { url: 'https://a:b@example.org' }, 'contains a user name or a password'],
    ['url', 'direct', { url: 'https://example.org/?x' }, 'contains a ? or #'],
    ['url', 'direct', { url: 'https://example.org/domcomp/v1' }, 'Skilldock adds it'],
    ['marketplaceUrl', 'gateway', { marketplaceUrl: '' }, 'Enter the address'],
    ['marketplaceUrl', 'gateway', { marketplaceUrl: 'ftp://x' }, 'This isn’t a web address'],
    ['kind', 'direct', { kind: 'other' }, 'Choose who answers searches'],
    ['apiKey', 'direct', { apiKey: 'my secret key' }, 'invalid characters'],
    ['apiKey', 'direct', { apiKey: 'x'.repeat(1_001) }, 'too long'],
    ['marketplaceKey', 'gateway', { marketplaceKey: 'clé' }, 'invalid characters'],
    ['apiKey', 'direct', { apiKey: 'new-secret-key', removeApiKey: '1' }, 'Choose one of the two'],
  ])('is refused beside %s of a %s %o, and keeps what was typed but for keys', async (field, kind, wrong, problem) => {
    const fields = forms[kind]({
      marketplaceKey: 'typed-secret-1',
      ...wrong,
    });
    const answer = await manager.post(PATH, fields);
    expect(answer.status).toBe(422);
    const page = await answer.text();
    expect(problemOf(page, field)).toContain(problem);
    expect(page).toContain(`href="#${field}"`);
    expect(fieldOf(page, 'url')).toBe(fields.url);
    expect(fieldOf(page, 'version')).toBe('1');
    for (const key of ['apiKey', 'marketplaceKey'] as const) {
      expect(fieldOf(page, key)).toBe('');
      if (fields[key] !== '') expect(page).not.toContain(fields[key]);
    }
    expect(textOf(page)).toContain('type the key again to save or test it');
    expect(await saved()).toEqual({ kind: 'local' });
  });

  test('does not overwrite what someone else saved meanwhile, until that was read', async () => {
    await manager.post(PATH, direct({ url: 'https://other.example.org' }));
    const answer = await manager.post(PATH, direct({ apiKey: UPSTREAM_KEY }));
    expect(answer.status).toBe(422);
    const page = await answer.text();
    expect(textOf(page)).toContain('Someone else changed this while you had it open');
    expect(fieldOf(page, 'url')).toBe(upstream.url);
    expect(page).not.toContain(UPSTREAM_KEY);
    expect(await saved()).toEqual({ kind: 'direct', url: 'https://other.example.org' });
    const again = direct({ version: fieldOf(page, 'version')!, apiKey: UPSTREAM_KEY });
    expect((await manager.post(PATH, again)).status).toBe(303);
    expect(await saved()).toEqual({ kind: 'direct', url: upstream.url });
  });

  test('a form that was wrong still notices a change by someone else', async () => {
    await manager.post(PATH, direct({ url: 'https://other.example.org' }));
    const wrong = await manager.post(PATH, direct({ url: 'nonsense' }));
    const version = fieldOf(await wrong.text(), 'version')!;
    expect((await manager.post(PATH, direct({ version }))).status).toBe(422);
  });

  test('is not for viewers, others’ managers or forms of others', async () => {
    await admin.addTenant('Paris');
    const viewer = await admin.signInAs('viewer', ['lyon']);
    const foreign = await admin.signInAs('manager', ['paris']);
    for (const path of [PATH, `${PATH}/test`]) {
      expect((await viewer.post(path, direct())).status).toBe(403);
      expect((await foreign.post(path, direct())).status).toBe(404);
      expect((await manager.post(path, direct(), { csrf: null })).status).toBe(403);
    }
    expect(await saved()).toEqual({ kind: 'local' });
    expect(upstream.requests).toEqual([]);
    expect(await viewer.page(PATH)).not.toContain('name="apiKey"');
  });
});

describe('the test', () => {
  const test3 = (fields: Record<string, string>) => manager.post(`${PATH}/test`, fields);

  test('makes three real calls with what is typed, and saves nothing', async () => {
    const answer = await test3(direct({ apiKey: UPSTREAM_KEY }));
    expect(answer.status).toBe(200);
    const page = await answer.text();
    const text = textOf(page);
    expect(text).toContain('The connection works');
    expect(text).toContain(`Called ${upstream.url}/learningobject/v2/provider`);
    expect(text.match(/HTTP status 200 after [\d,]+ ms/g)).toHaveLength(3);
    expect(text.match(/Key sent the one you typed/g)).toHaveLength(2);
    expect(upstream.requests.map(({ operation }) => operation).sort()).toEqual([
      'provider',
      'search-provider',
      'suggest',
    ]);
    expect(page).not.toContain(UPSTREAM_KEY);
    expect(fieldOf(page, 'url')).toBe(upstream.url);
    expect(text).toContain('type the key again to save or test it');
    expect(await saved()).toEqual({ kind: 'local' });
    expect(await findKey('upstream-api-key')).toBeNull();
  });

  test('uses the saved key where none is typed, and only for the address it is for', async () => {
    await manager.post(PATH, direct({ apiKey: UPSTREAM_KEY }));
    const text = textOf(await (await test3(direct())).text());
    expect(text).toContain('The connection works');
    expect(text.match(/Key sent the saved one/g)).toHaveLength(2);
    const other = await startFakeUpstream();
    try {
      const elsewhere = textOf(await (await test3(direct({ url: other.url }))).text());
      expect(elsewhere).toContain('1 of 3 calls worked');
      expect(elsewhere).toContain('The service needs a key and got none.');
      expect(elsewhere).toContain('none typed, and none saved for this address');
      expect(JSON.stringify(other.requests)).not.toContain(UPSTREAM_KEY);
    } finally {
      await other.close();
    }
  });

  test('a gateway gets the marketplace key, the service the other', async () => {
    const keys = { apiKey: UPSTREAM_KEY, marketplaceKey: 'wrong-marketplace-key' };
    const text = textOf(await (await test3(gateway(keys))).text());
    expect(text).toContain('2 of 3 calls worked');
    expect(text).toContain('Search for learning resources, through the gateway failed');
    expect(text).toContain('The service was reached but rejected this key.');
    expect(text).toContain('What to do Copy the key again');
  });

  test.each([
    [
      { status: 500, body: { message: 'Out of <b>order</b>' } },
      'The service was reached but reported an internal error.',
    ],
    [{ status: 429 }, 'accepts no more requests right now'],
    [{ status: 404, body: 'x' }, 'but not at this path'],
    [{ body: '<html><title>Welcome</title></html>' }, 'This address answers, but not as such a service would.'],
    [{ breaks: 'reset' as const }, 'No connection:'],
  ])('explains %o', async (reply, meaning) => {
    upstream.reply('*', reply);
    const page = await (await test3(direct({ apiKey: UPSTREAM_KEY }))).text();
    expect(textOf(page)).toContain('0 of 3 calls worked');
    expect(textOf(page)).toContain(meaning);
    expect(page).not.toContain('<b>order');
  });

  test('says in French what an address that nobody answers means', async () => {
    const french = await admin.signInAs('manager', ['lyon'], { language: 'fr' });
    const page = await (await french.post(`${PATH}/test`, direct({ url: 'http://127.0.0.1:9' }))).text();
    expect(textOf(page)).toContain('Appels réussis : 0 sur 3');
    expect(textOf(page)).toContain('Aucune connexion :');
  });

  test('makes no call where the form is wrong or the engine is built in', async () => {
    const wrong = await test3(direct({ url: 'nonsense' }));
    expect(wrong.status).toBe(422);
    expect(problemOf(await wrong.text(), 'url')).toContain('This isn’t a web address');
    const local = textOf(await (await test3(direct({ kind: 'local' }))).text());
    expect(local).toContain('Nothing to test');
    expect(upstream.requests).toEqual([]);
  });

  test('answers the browser code with the part it puts in place', async () => {
    const part = await (await test3(direct({ apiKey: UPSTREAM_KEY, fragment: '1' }))).text();
    expect(part).not.toContain('<html');
    expect(textOf(part)).toContain('The connection works');
    const wrong = await test3(direct({ url: 'nonsense', fragment: '1' }));
    expect(wrong.status).toBe(200);
    expect(textOf(await wrong.text())).toContain('Not tested yet. Please correct this first:');
  });

  test('says what to do about a saved key that cannot be read', async () => {
    await manager.post(PATH, direct({ apiKey: UPSTREAM_KEY }));
    const record = (await admin.store.secrets.findSecret('lyon', 'upstream-api-key'))!;
    await admin.store.secrets.putSecret({ ...record, sealed: `${record.sealed.slice(0, -12)}AAAAAAAAAAAA` });
    const answer = await test3(direct());
    expect(answer.status).toBe(422);
    expect(textOf(await answer.text())).toContain('The saved key was encrypted');
  });

  test('is at an address that shows the form when it is opened', async () => {
    expect(await manager.page(`${PATH}/test`)).toContain('name="kind"');
  });
});
