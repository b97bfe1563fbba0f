import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { initialDefaults, initialFeedbackSettings, type Upstream } from '../../../src/domain/tenant.ts';
import type { AuditEntry, TenantRecord } from '../../../src/ports/store/store.ts';
import type { UpstreamKeyName } from '../../../src/services/host/secrets.ts';
import { createTenants } from '../../../src/services/tenants/tenants.ts';
import { findUpstreamKeyDestination } from '../../../src/services/tenants/upstream-keys.ts';
import type { StandingClock } from '../../fakes/clock.ts';
import { anyApiKey, type OpenedServices, openServices, tester } from '../../helpers/open-services.ts';

let services: OpenedServices<StandingClock>;
beforeEach(async () => {
  services = await openServices();
});
afterEach(() => services.close());

/** The same, but for the pause before what a tenant has is removed. */
const hasty = () =>
  createTenants({
    tenants: services.store.tenants,
    secrets: services.secrets,
    audit: services.audit,
    clock: services.clock,
    graceMs: 0,
  });
const everything = { scope: null, action: null, period: { from: null, until: null }, search: '' };

async function trail(): Promise<AuditEntry[]> {
  const entries = [];
  for await (const entry of services.audit.readEntries(everything)) entries.push(entry);
  return entries;
}
const lastEntry = async () => (await trail()).at(-1)!;
const codeOf = (error: unknown) => (error as { code?: string }).code;

const direct = (url: string): Upstream => ({ kind: 'direct', url });
const gateway = (url: string, marketplaceUrl: string): Upstream => ({ kind: 'gateway', url, marketplaceUrl });

describe('making tenants', () => {
  test('the id is made of the name and a random end', async () => {
    const { tenants } = services;
    const ids = [];
    for (const name of ['Lycée Hugo', 'lycee  hugo!', 'Lycée Hugo', '日本', '中文', 'Default', 'a'.repeat(60)])
      ids.push((await tenants.createTenant(tester, name)).id);
    expect(ids.map((id) => id.slice(0, -6))).toEqual([
      'lycee-hugo',
      'lycee-hugo',
      'lycee-hugo',
      'tenant',
      'tenant',
      'default',
      'a'.repeat(34),
    ]);
    for (const id of ids) expect(id).toMatch(/-[a-z2-7]{5}$/);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('another id is tried where one is taken', async () => {
    const taken: string[] = [];
    const unlucky = createTenants({
      ...services,
      tenants: {
        ...services.store.tenants,
        async addTenant(record) {
          if (taken.length === 2) return services.store.tenants.addTenant(record);
          taken.push(record.id);
          return false;
        },
      },
    });
    const { id } = await unlucky.createTenant(tester, 'School');
    expect(new Set([...taken, id]).size).toBe(3);
  });

  test('a hundred of one name at once, on two hosts, get ids of their own', async () => {
    const hosts = [services.tenants, hasty()];
    const made = await Promise.all(
      Array.from({ length: 100 }, (_, i) => hosts[i % 2]!.createTenant(tester, 'b'.repeat(60))),
    );
    expect(new Set(made.map(({ id }) => id)).size).toBe(100);
    for (const { id } of made) expect(id).toMatch(/^[a-z0-9-]{1,40}$/);
  });

  test('begins with our own engine and without defaults', async () => {
    const made = await services.tenants.createTenant(tester, '  A school ');
    expect(made).toEqual({
      id: expect.stringMatching(/^a-school-[a-z2-7]{5}$/),
      name: 'A school',
      status: 'active',
      upstream: { kind: 'local' },
      defaults: initialDefaults,
      branding: { title: null, accent: null },
      suggestions: 'approval',
      hasAssistants: true,
      requiresSecondFactor: false,
      feedback: initialFeedbackSettings,
      createdAt: services.clock.now(),
      updatedAt: services.clock.now(),
      version: 1,
    });
    expect(await services.tenants.getTenant(made.id)).toEqual(made);
    expect(await lastEntry()).toMatchObject({
      action: 'tenant.created',
      tenantId: made.id,
      actor: tester,
    });
  });

  test.each(['', '   ', 'a'.repeat(101), 'a\u001b[2J', 'a\u202eb'])('the name %j is refused', async (name) => {
    await expect(services.tenants.createTenant(tester, name)).rejects.toMatchObject({
      code: 'FORM_INVALID',
      problems: [{ path: 'name' }],
    });
  });
});

describe('finding tenants', () => {
  test('by id, or else by the whole name in any case', async () => {
    const { tenants } = services;
    const { id } = await tenants.createTenant(tester, 'École Normale');
    await tenants.createTenant(tester, 'École Normale Supérieure');
    for (const wanted of [id, 'École Normale', 'ecole normale'])
      expect((await tenants.getTenantByIdOrName(wanted)).id).toBe(id);
    await expect(tenants.getTenantByIdOrName('École')).rejects.toMatchObject({ code: 'TENANT_UNKNOWN' });
  });

  test('of two with one name, it asks for the id', async () => {
    const { id } = await services.tenants.createTenant(tester, 'Twin');
    await services.tenants.createTenant(tester, 'Twin');
    await expect(services.tenants.getTenantByIdOrName(id)).resolves.toMatchObject({ id });
    await expect(services.tenants.getTenantByIdOrName(' TWIN')).rejects.toThrow(/twin-.{5}, twin-.{5}/);
  });
});

describe('changing a tenant', () => {
  test('names what was changed, once', async () => {
    const { tenants, clock } = services;
    const { id, version } = await tenants.createTenant(tester, 'School');
    clock.advance(1000);
    const changed = await tenants.changeTenant(tester, id, {
      version,
      name: 'New school',
      defaults: { ...initialDefaults, lang: 'fr', providers: ['edx', 'youtube'] },
    });
    expect(changed).toMatchObject({ name: 'New school', version: 2, updatedAt: clock.now() });
    expect((await lastEntry()).details).toEqual({
      name: 'School → New school',
      'defaults.lang': 'none → fr',
      'defaults.providers': 'none → edx, youtube',
    });
    const before = (await trail()).length;
    expect(await tenants.changeTenant(tester, id, { version: 2, name: 'New school' })).toMatchObject({
      version: 2,
    });
    expect(await trail()).toHaveLength(before);
  });

  test('of two who looked at the same version, the second is told', async () => {
    const { tenants } = services;
    const { id, version } = await tenants.createTenant(tester, 'School');
    const results = await Promise.allSettled([
      tenants.changeTenant(tester, id, { version, name: 'One' }),
      tenants.changeTenant(tester, id, { version, name: 'Two' }),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(tenants.changeTenant(tester, id, { version, name: 'Three' })).rejects.toMatchObject({
      code: 'CHANGED_MEANWHILE',
    });
  });
});

describe('changing what becomes of feedback', () => {
  const settings = {
    sharedEmail: 'library@example.org',
    sharedEmailFor: 'everyone',
    retentionDays: 365,
  } as const;

  test('names what was changed; addresses lose their blanks', async () => {
    const { tenants } = services;
    const { id } = await tenants.createTenant(tester, 'School');
    const wanted = { ...settings, sharedEmail: ' library@example.org ' };
    const changed = await tenants.changeFeedbackSettings(tester, id, { version: 1, settings: wanted });
    expect(changed).toMatchObject({ feedback: settings, version: 2 });
    expect(await tenants.getTenant(id)).toEqual(changed);
    expect(await lastEntry()).toMatchObject({
      action: 'tenant.changed',
      tenantId: id,
      details: {
        'feedback.sharedEmail': 'none → library@example.org',
        'feedback.sharedEmailFor': 'learners → everyone',
        'feedback.retentionDays': 'none → 365',
      },
    });
    const outdated = tenants.changeFeedbackSettings(tester, id, { version: 1, settings });
    await expect(outdated).rejects.toMatchObject({ code: 'CHANGED_MEANWHILE' });
    const gone = tenants.changeFeedbackSettings(tester, 'x', { version: 1, settings });
    await expect(gone).rejects.toMatchObject({ code: 'TENANT_UNKNOWN' });
  });

  test('takes every number of days from 1 to 3,650, and no address and no end', async () => {
    const { tenants } = services;
    const { id } = await tenants.createTenant(tester, 'School');
    let version = 1;
    for (const retentionDays of [1, 3_650, null]) {
      const change = { version, settings: { ...settings, sharedEmail: null, retentionDays } };
      const { feedback } = await tenants.changeFeedbackSettings(tester, id, change);
      expect(feedback).toEqual(change.settings);
      version++;
    }
  });

  test.each([
    [['sharedEmail'], { sharedEmail: 'library' }],
    [['sharedEmail'], { sharedEmail: '' }],
    [['retentionDays'], { retentionDays: 0 }],
    [['retentionDays'], { retentionDays: 3_651 }],
    [['retentionDays'], { retentionDays: 1.5 }],
    [['sharedEmail', 'retentionDays'], { sharedEmail: 'a@b', retentionDays: -1 }],
  ])('is refused for %j: %j', async (paths, wrong) => {
    const { tenants } = services;
    const change = { version: 1, settings: { ...settings, ...wrong } };
    await expect(tenants.changeFeedbackSettings(tester, 'default', change)).rejects.toMatchObject({
      code: 'FORM_INVALID',
      problems: paths.map((path) => ({ path })),
    });
    expect(await tenants.getTenant('default')).toMatchObject({
      version: 1,
      feedback: initialFeedbackSettings,
    });
  });
});

describe('changing the upstream', () => {
  let tenant: TenantRecord;
  beforeEach(async () => {
    tenant = await services.tenants.createTenant(tester, 'School');
    const upstream = gateway('https://api.example.org/v1', 'https://market.example.org');
    await change({ upstream, apiKey: 'key-of-the-api-0001', marketplaceKey: 'key-of-the-market-2' });
  });

  async function change(wanted: {
    upstream: Upstream;
    isByOwner?: boolean;
    apiKey?: string | null;
    marketplaceKey?: string | null;
  }) {
    const { version } = await services.tenants.getTenant(tenant.id);
    return services.tenants.changeUpstream(tester, tenant.id, { version, ...wanted });
  }
  async function keys() {
    const { id, upstream } = await services.tenants.getTenant(tenant.id);
    const find = (name: UpstreamKeyName) =>
      services.secrets.findSecret(id, name, findUpstreamKeyDestination(upstream, name));
    return { api: await find('upstream-api-key'), market: await find('marketplace-key') };
  }
  const both = { api: 'key-of-the-api-0001', market: 'key-of-the-market-2' };

  test('keys are kept where their origin stays, even at another path', async () => {
    await change({ upstream: gateway('https://api.example.org/v2', 'https://market.example.org/shop') });
    expect(await keys()).toEqual(both);
  });

  test.each([
    ['another host', gateway('https://api.example.com/v1', 'https://market.example.org'), { ...both, api: null }],
    ['another port', gateway('https://api.example.org:8443/v1', 'https://market.example.org'), { ...both, api: null }],
    ['plain http', gateway('http://api.example.org/v1', 'https://market.example.org'), { ...both, api: null }],
    ['another gateway', gateway('https://api.example.org/v1', 'https://evil.example'), { ...both, market: null }],
    ['no gateway', direct('https://api.example.org/v1'), { ...both, market: null }],
    ['both exchanged', gateway('https://market.example.org', 'https://api.example.org'), { api: null, market: null }],
    ['our own engine', { kind: 'local' } as const, { api: null, market: null }],
  ])('led to %s, a key is dropped for good', async (_where, upstream, left) => {
    await change({ upstream });
    expect(await keys()).toEqual(left);
    await change({ upstream: gateway('https://api.example.org/v1', 'https://market.example.org') });
    expect(await keys()).toEqual(left);
  });

  test('a new key is for the new address, null removes one', async () => {
    await change({ upstream: direct('https://other.example.org'), apiKey: 'another-key-0003' });
    expect(await keys()).toEqual({ api: 'another-key-0003', market: null });
    await change({ upstream: direct('https://other.example.org'), apiKey: null });
    expect(await keys()).toEqual({ api: null, market: null });
  });

  test('a key of a gateway that is not used is not saved', async () => {
    await change({ upstream: direct('https://api.example.org/v1'), marketplaceKey: 'stray-key-0004' });
    expect((await keys()).market).toBeNull();
  });

  test('the trail has every change and no key', async () => {
    await change({ upstream: direct('https://other.example.org/?token=hidden'), apiKey: 'another-key-0003' });
    const entries = (await trail()).slice(-4);
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      [
        'tenant.upstream-changed',
        {
          kind: 'gateway → direct',
          url: 'https://api.example.org/v1 → https://other.example.org',
          marketplaceUrl: 'https://market.example.org → none',
        },
      ],
      ['tenant.key-removed', { key: 'upstream-api-key' }],
      ['tenant.key-removed', { key: 'marketplace-key' }],
      ['tenant.key-saved', { key: 'upstream-api-key' }],
    ]);
    const written = JSON.stringify(await trail());
    for (const secret of ['key-of-the-api', 'key-of-the-market', 'another-key', 'hidden'])
      expect(written).not.toContain(secret);
  });

  test('who comes second with a version removes no key', async () => {
    const { version } = await services.tenants.getTenant(tenant.id);
    const wanted = { version, upstream: direct('https://evil.example') };
    await change({ upstream: gateway('https://api.example.org/v2', 'https://market.example.org') });
    await expect(services.tenants.changeUpstream(tester, tenant.id, wanted)).rejects.toMatchObject({
      code: 'CHANGED_MEANWHILE',
    });
    expect(await keys()).toEqual(both);
  });

  test('moved by another at the same moment, a key does not come under the new address', async () => {
    const slow = createTenants({
      ...services,
      tenants: services.store.tenants,
      secrets: {
        ...services.secrets,
        async putSecret(...given) {
          await change({ upstream: direct('https://evil.example') });
          await services.secrets.putSecret(...given);
        },
      },
    });
    const { version } = await services.tenants.getTenant(tenant.id);
    const upstream = direct('https://api.example.com');
    await slow.changeUpstream(tester, tenant.id, { version, upstream, apiKey: 'key-of-the-first-5' });
    expect(await services.tenants.getTenant(tenant.id)).toMatchObject({
      upstream: direct('https://evil.example'),
    });
    expect(await keys()).toEqual({ api: null, market: null });
    await services.upstreams.learningOf(tenant.id);
    expect(services.fakeUpstreams.connected).toEqual([{ url: 'https://evil.example' }]);
  });
});

describe('who entered the addresses', () => {
  const [intranet, other] = ['http://10.0.0.7:8080', 'http://10.0.0.8'];
  const ofOwner: Upstream = { kind: 'direct', url: intranet, isEnteredByOwner: true };
  let id: string;
  beforeEach(async () => {
    id = (await services.tenants.createTenant(tester, 'School')).id;
  });

  async function save(upstream: Upstream, isByOwner?: boolean): Promise<boolean> {
    const { version } = await services.tenants.getTenant(id);
    const change = { version, upstream, ...(isByOwner !== undefined && { isByOwner }) };
    await services.tenants.changeUpstream(tester, id, change);
    services.clock.advance(501);
    await services.upstreams.learningOf(id);
    const saved = (await services.tenants.getTenant(id)).upstream;
    const connected = services.fakeUpstreams.connected.at(-1);
    expect(connected?.isEnteredByOwner ?? false).toBe('isEnteredByOwner' in saved);
    return 'isEnteredByOwner' in saved;
  }

  test('an owner is remembered, and a manager who leaves them as they are changes nothing', async () => {
    expect(await save(direct(intranet), true)).toBe(true);
    expect(await save(direct(intranet), false)).toBe(true);
    expect(await save(gateway(intranet, intranet))).toBe(true);
    const changed = (await trail()).filter(({ action }) => action === 'tenant.upstream-changed');
    expect(changed[0]?.details).toMatchObject({ isEnteredByOwner: 'none → true' });
  });

  test('a manager who changes one is not an owner, whatever is sent', async () => {
    expect(await save(direct(intranet), false)).toBe(false);
    expect(await save(ofOwner)).toBe(false);
    expect(await save(gateway(intranet, intranet), true)).toBe(true);
    expect(await save(gateway(intranet, other), false)).toBe(false);
    expect(await save(gateway(intranet, intranet), false)).toBe(false);
    expect(await save(direct(intranet), true)).toBe(true);
    expect(await save(direct(`${intranet}/admin`), false)).toBe(false);
  });

  test('a draft is tested as it would be saved', async () => {
    const testDraft = async (upstream: Upstream, isByOwner: boolean) => {
      await services.upstreams.testDraft(id, { upstream, isByOwner });
      return services.fakeUpstreams.tested.at(-1)?.isEnteredByOwner ?? false;
    };
    expect(await testDraft(direct(intranet), false)).toBe(false);
    expect(await testDraft(ofOwner, false)).toBe(false);
    expect(await testDraft(direct(intranet), true)).toBe(true);
    await save(direct(intranet), true);
    expect(await testDraft(direct(intranet), false)).toBe(true);
    expect(await testDraft(direct(other), false)).toBe(false);
  });

  test('the settings are an owner’s, also for what they made before there was the mark', async () => {
    id = 'default';
    const initial = { upstream: ofOwner };
    await save(direct(other), false);
    await services.tenants.prepare(initial);
    expect((await services.tenants.getTenant(id)).upstream).toEqual(direct(other));
    await save(direct(intranet), false);
    await services.tenants.prepare(initial);
    expect((await services.tenants.getTenant(id)).upstream).toEqual(initial.upstream);
    const { version } = await services.tenants.getTenant(id);
    await services.tenants.prepare(initial);
    expect(await services.tenants.getTenant(id)).toMatchObject({ version });
  });
});

describe('the default tenant', () => {
  test('is there after the first start, and made once', async () => {
    await services.tenants.prepare();
    await services.tenants.prepare({ upstream: direct('https://late.example.org'), apiKey: 'too-late-0001' });
    expect(await services.tenants.getTenant('default')).toMatchObject({
      name: 'Default institution',
      upstream: { kind: 'local' },
    });
    expect(await services.secrets.findHint('default', 'upstream-api-key', 'https://api.example.org')).toBeNull();
    expect((await trail()).filter(({ action }) => action === 'tenant.created')).toHaveLength(1);
  });

  test('begins with the upstream of the settings, also when a host was stopped before its keys were saved', async () => {
    await services.store.tenants.removeTenant('default');
    const initial = { upstream: direct('https://api.example.org'), apiKey: 'initial-key-0001' };
    const stopped = createTenants({
      tenants: services.store.tenants,
      secrets: { ...services.secrets, putSecret: () => Promise.reject(new Error('stopped')) },
      audit: services.audit,
      clock: services.clock,
    });
    await expect(stopped.prepare(initial)).rejects.toThrow('stopped');
    await services.tenants.prepare(initial);
    expect(await services.secrets.findSecret('default', 'upstream-api-key', 'https://api.example.org')).toBe(
      'initial-key-0001',
    );
    const { version } = await services.tenants.getTenant('default');
    await services.tenants.changeUpstream(tester, 'default', {
      version,
      upstream: initial.upstream,
      apiKey: null,
    });
    await services.tenants.prepare(initial);
    expect(await services.secrets.findSecret('default', 'upstream-api-key', 'https://api.example.org')).toBeNull();
  });

  test('can be neither disabled nor deleted', async () => {
    for (const act of [services.tenants.disableTenant, services.tenants.deleteTenant])
      await expect(act(tester, 'default')).rejects.toMatchObject({
        code: 'TENANT_PROTECTED',
        kind: 'conflict',
      });
  });
});

describe('disabling', () => {
  test('and enabling, each once in the trail', async () => {
    const { tenants } = services;
    const { id } = await tenants.createTenant(tester, 'School');
    for (let i = 0; i < 2; i++) await tenants.disableTenant(tester, id);
    expect(await tenants.getTenant(id)).toMatchObject({ status: 'disabled', version: 2 });
    for (let i = 0; i < 2; i++) await tenants.enableTenant(tester, id);
    expect((await trail()).map(({ action }) => action).slice(-2)).toEqual(['tenant.disabled', 'tenant.enabled']);
    await expect(tenants.disableTenant(tester, 'nobody')).rejects.toMatchObject({ code: 'TENANT_UNKNOWN' });
  });

  test('is done even while others change the tenant', async () => {
    const { tenants } = services;
    const { id } = await tenants.createTenant(tester, 'School');
    const changes = Array.from({ length: 5 }, (_, i) =>
      tenants.getTenant(id).then(({ version }) => tenants.changeTenant(tester, id, { version, name: `N ${i}` })),
    );
    const settled = await Promise.allSettled([...changes, tenants.disableTenant(tester, id)]);
    expect(settled.at(-1)!.status).toBe('fulfilled');
    expect((await tenants.getTenant(id)).status).toBe('disabled');
  });
});

describe('deleting', () => {
  test('removes everything of the tenant, and leaves one entry of the whole host', async () => {
    const { id } = await services.tenants.createTenant(tester, 'School');
    await services.apiKeys.createApiKey(tester, { ...anyApiKey, tenantId: id });
    await services.secrets.putSecret(id, 'upstream-api-key', {
      plain: 'plain',
      boundTo: 'https://a.example',
    });
    services.usage.count(id, 'searches');
    await services.usage.flush();
    await hasty().deleteTenant(tester, id);
    expect(await services.tenants.findTenant(id)).toBeNull();
    expect(await services.store.secrets.findSecret(id, 'upstream-api-key')).toBeNull();
    const entries = await trail();
    expect(entries.filter(({ tenantId }) => tenantId === id)).toEqual([]);
    expect(entries.at(-1)).toMatchObject({
      action: 'tenant.deleted',
      tenantId: null,
      target: 'School',
      actor: tester,
    });
    await expect(hasty().deleteTenant(tester, id)).rejects.toMatchObject({ code: 'TENANT_UNKNOWN' });
  });

  test('that a stopped host left is ended by the next start, and until then the tenant is as good as gone', async () => {
    const { id, version } = await services.tenants.createTenant(tester, 'School');
    const failing = createTenants({
      tenants: { ...services.store.tenants, removeTenant: () => Promise.reject(new Error('stopped')) },
      secrets: services.secrets,
      audit: services.audit,
      clock: services.clock,
      graceMs: 0,
    });
    await expect(failing.deleteTenant(tester, id)).rejects.toThrow('stopped');
    expect(await services.tenants.findTenant(id)).toMatchObject({ status: 'deleting' });
    const refused = await Promise.allSettled([
      services.tenants.getTenant(id),
      services.tenants.getTenantByIdOrName('School'),
      services.tenants.enableTenant(tester, id),
      services.tenants.changeTenant(tester, id, { version: version + 1, name: 'Again' }),
      services.apiKeys.createApiKey(tester, { ...anyApiKey, tenantId: id }),
    ]);
    expect(refused.map((result) => result.status === 'rejected' && codeOf(result.reason))).toEqual(
      refused.map(() => 'TENANT_UNKNOWN'),
    );
    await services.tenants.prepare();
    expect(await services.tenants.findTenant(id)).toBeNull();
    expect(await lastEntry()).toMatchObject({ action: 'tenant.deleted', actor: { kind: 'system' } });
  });
});
