import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { openOpenSearchIndex } from '../../../../src/adapters/opensearch/opensearch-index.ts';
import { systemActor } from '../../../../src/domain/admin.ts';
import type { Upstream } from '../../../../src/domain/tenant.ts';
import type { FeedbackState, ImportRecord } from '../../../../src/ports/store/store.ts';
import type { UpstreamCall, UpstreamOutcome, Upstreams } from '../../../../src/ports/upstream.ts';
import { importRecord } from '../../../contract/store/import-records.ts';
import { createFakeLearningService } from '../../../fakes/learning-service.ts';
import { saveFeedback } from '../feedback/feedback-records.ts';
import { anyApp, anyWorkspace } from '../slack.ts';
import { type AdminOptions, type RunningAdmin, startAdmin } from '../start-admin.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const direct = { kind: 'direct', url: 'https://api.example.org' } as const;
const gateway: Upstream = { ...direct, kind: 'gateway', marketplaceUrl: 'https://market.example.org' };

const running: RunningAdmin[] = [];
afterEach(async () => {
  for (const admin of running.splice(0)) await admin.close();
});

async function start(options: AdminOptions = {}): Promise<RunningAdmin> {
  const admin = await startAdmin({ upstreams: upstreamsThat(() => callsThat('ok')), ...options });
  running.push(admin);
  return admin;
}

function upstreamsThat(test: () => readonly UpstreamCall[] | Promise<readonly UpstreamCall[]>): Upstreams {
  return { connect: () => createFakeLearningService(), test: async () => test() };
}

function callsThat(...outcomes: UpstreamOutcome[]): UpstreamCall[] {
  return outcomes.map((outcome) => ({
    operation: 'provider',
    url: direct.url,
    outcome,
    status: 200,
    milliseconds: 5,
    detail: null,
  }));
}

async function connect(
  { deps }: RunningAdmin,
  id: string,
  { upstream = direct, ...keys }: { upstream?: Upstream; apiKey?: string; marketplaceKey?: string } = {},
): Promise<void> {
  const { version } = await deps.tenants.getTenant(id);
  await deps.tenants.changeUpstream(systemActor, id, { version, upstream, ...keys });
}

function createKey({ deps, clock }: RunningAdmin, tenantId: string, days: number | null, name = 'A key') {
  const expiresAt = days === null ? null : new Date(clock.now().getTime() + days * DAY_MS);
  const limits = { perSecond: 1, perDay: 1 };
  return deps.apiKeys.createApiKey(systemActor, {
    tenantId,
    name,
    scopes: ['competency'],
    ...limits,
    expiresAt,
  });
}

/** @param age milliseconds */
function saveAged(admin: RunningAdmin, tenantId: string, state: FeedbackState, age: number) {
  const receivedAt = new Date(admin.clock.now().getTime() - age);
  return saveFeedback(admin, { tenantId, state, receivedAt, dueAt: receivedAt, provider: null });
}

function addUsage({ store, clock }: RunningAdmin, tenantId: string, daysAgo: number, count: number) {
  const day = new Date(clock.now().getTime() - daysAgo * DAY_MS).toISOString().slice(0, 10);
  return store.usage.addUsage([{ tenantId, day, metric: 'searches', count }]);
}

/** A host with nothing left to do: used, with a key and a second owner. */
async function startSettled(options: AdminOptions = {}) {
  const admin = await start(options);
  await createKey(admin, 'default', null);
  await addUsage(admin, 'default', 0, 7);
  await admin.signInAs('owner');
  return { admin, owner: await admin.signInAs('owner') };
}

const concernsOf = (page: string) => [...page.matchAll(/data-concern="([\w-]+)"/g)].map(([, kind]) => kind);

/** The text of the list entry of a concern. */
function textOf(page: string, kind: string): string {
  const entry = page.split(`data-concern="${kind}"`)[1]!.split('</li>')[0]!;
  return entry
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

describe('learning objects on OpenSearch', () => {
  /** A real client of nodes that are not there. */
  async function startAway() {
    const store = openOpenSearchIndex({ nodes: ['http://127.0.0.1:9'], prefix: 'away' });
    onTestFinished(() => store.close());
    const { admin, owner } = await startSettled();
    const place = () => store.place;
    Object.assign(admin.deps.system, { describeCatalog: place });
    return { admin, owner, store };
  }

  test('where they are, and that they cannot be found, since when and why', async () => {
    const { admin, owner, store } = await startAway();
    const before = await owner.page('');
    expect(concernsOf(before)).not.toContain('catalogue-away');
    expect(before).toMatch(/<dt>Learning resources<\/dt><dd>OpenSearch .*127\.0\.0\.1:9<.*answers</);
    await store.describe().catch(() => undefined);
    const page = await owner.page('');
    expect(concernsOf(page)[0]).toBe('catalogue-away');
    expect(textOf(page, 'catalogue-away')).toMatch(
      /Learning resources cannot be searched OpenSearch, which holds them, has been unavailable since .* UTC\. .* The catalogue at 127\.0\.0\.1:9 cannot be reached\. See whether its nodes are running/,
    );
    expect(page).toContain('unavailable</span>');
    const viewer = await (await admin.signInAs('viewer')).page('');
    expect(concernsOf(viewer)).toContain('catalogue-away');
    expect(viewer).not.toContain('127.0.0.1:9');
  });

  test('that being filled, or could not be', async () => {
    const { admin, owner, store } = await startAway();
    const behind = { problem: 'It lacks <b>50</b>.', since: new Date('2026-03-01T10:00:00Z') };
    const place = { ...store.place, behind, isFilling: true };
    Object.assign(admin.deps.system, { describeCatalog: () => place });
    const page = await owner.page('');
    expect(page).toContain('It lacks &lt;b&gt;50&lt;/b&gt;.');
    expect(textOf(page, 'catalogue-behind')).toContain(
      'not been able to send it to OpenSearch since Mar 1, 2026, 10:00 AM UTC',
    );
    expect(page).toContain('being filled');
    const french = await admin.signInAs('owner', null, { language: 'fr' });
    expect(await french.page('')).toContain('en cours de remplissage');
  });
});

describe('first steps', () => {
  test('Walk U14 and U17: keys of an upstream are named so, and the menu has four groups', async () => {
    const page = await (await (await start()).signInAs('owner')).page('');
    expect(page).toMatch(/<th[^>]*>Upstream keys<\/th>/);
    expect([...page.matchAll(/class="menu-group"[^>]*>([^<]+)/g)].map(([, name]) => name)).toEqual([
      'Use',
      'Content',
      'Connections',
      'Server',
    ]);
    expect(page.match(/aria-current="page"/g)).toHaveLength(1);
  });

  test('a new host shows them, with what is done', async () => {
    const admin = await start();
    const page = await (await admin.signInAs('owner')).page('');
    expect([...page.matchAll(/class="step (\w+)"/g)].map(([, state]) => state)).toEqual([
      'done',
      'open',
      'open',
      'open',
    ]);
    expect(page).toContain('href="/admin/tenants/default"');
    expect(page).toContain('1,234 resources');
    expect(concernsOf(page)).not.toContain('no-active-key');
  });

  test('Slack is a step done when a workspace is connected', async () => {
    const admin = await start();
    const owner = await admin.signInAs('owner');
    expect(await owner.page('')).toContain('People can then search with /skills and /learn in Slack.');
    await admin.deps.slackCredentials.save(systemActor, anyApp);
    expect(await owner.page('')).toContain('Install it in a workspace.');
    await admin.deps.slackInstallations.install(anyWorkspace, 'default');
    const page = await owner.page('');
    expect(page).toContain('Connected workspaces: 1.');
    expect(page).toMatch(/<dt>Slack workspaces<\/dt><dd>1 /);
    expect(page).toMatch(/class="step done">\s*<h3><svg[^>]*>.*?<\/svg>Connect Slack/);
  });

  test('a key is a step done; with a search they are over', async () => {
    const admin = await start();
    const owner = await admin.signInAs('owner');
    await createKey(admin, 'default', null);
    expect(await owner.page('')).toContain('One valid key.');
    await addUsage(admin, 'default', 0, 1);
    expect(await owner.page('')).not.toContain('class="step ');
  });

  test('whoever can only look gets a hint instead', async () => {
    const page = await (await (await start()).signInAs('viewer')).page('');
    expect(page).not.toContain('class="step ');
    expect(concernsOf(page)).toEqual(['no-active-key']);
  });

  test('whoever has no tenants yet is told so', async () => {
    const page = await (await (await start()).signInAs('viewer', [])).page('');
    expect(page).toContain('You have no institution (tenant) yet.');
    expect(page).not.toContain('class="step ');
  });

  test('a key that was revoked is none', async () => {
    const admin = await start();
    const owner = await admin.signInAs('owner');
    const { id } = await createKey(admin, 'default', null);
    await admin.deps.apiKeys.revokeApiKey(systemActor, id);
    expect(await owner.page('')).toContain('class="step open"');
  });
});

describe('what needs attention', () => {
  test('nothing: all is well', async () => {
    const { owner } = await startSettled();
    const page = await owner.page('');
    expect(concernsOf(page)).toEqual([]);
    expect(page).toContain('Everything is fine.');
  });

  test('a hint can be put aside for a month, in this browser', async () => {
    const viewer = await (await start()).signInAs('viewer');
    expect(concernsOf(await viewer.page(''))).toContain('no-active-key');
    await viewer.post('/concerns', { kind: 'no-active-key' });
    const page = await viewer.page('');
    expect(concernsOf(page)).not.toContain('no-active-key');
    expect(page).toContain('One hidden hint');
    expect(concernsOf(await viewer.page('?concerns=all'))).toContain('no-active-key');
  });

  test('one owner alone', async () => {
    const { admin, owner } = await startSettled();
    for (const { id } of (await admin.deps.admins.listAdmins(byRole)).items)
      if (id !== owner.id) await admin.deps.admins.removeAdmin(systemActor, id);
    expect(concernsOf(await owner.page(''))).toEqual(['one-owner']);
    expect(concernsOf(await (await admin.signInAs('viewer')).page(''))).toEqual([]);
  });

  test.each([
    ['http://skills.example.org', true],
    ['https://skills.example.org', false],
    ['http://localhost:3000', false],
  ])('the public address %s: %s', async (publicUrl, isNamed) => {
    const { owner } = await startSettled({ publicUrl });
    expect(concernsOf(await owner.page(''))).toEqual(isNamed ? ['http-address'] : []);
  });

  test('an upstream that refuses the key, with a way to its page', async () => {
    const { admin, owner } = await startSettled({
      upstreams: upstreamsThat(() => callsThat('ok', 'key-refused')),
    });
    await connect(admin, 'default', { apiKey: 'not the right key' });
    const page = await owner.page('');
    expect(concernsOf(page)).toEqual(['upstream-ill']);
    expect(textOf(page, 'upstream-ill')).toContain('The service was reached but rejected this key.');
    expect(page).toContain('href="/admin/tenants/default/upstream"');
    expect(page).toContain('api.example.org');
    expect(page).not.toContain('right key<');
  });

  test('a key that is missing, unless the upstream answers without', async () => {
    let outcome: UpstreamOutcome = 'key-missing';
    const { admin, owner } = await startSettled({ upstreams: upstreamsThat(() => callsThat(outcome)) });
    await connect(admin, 'default', { upstream: gateway, apiKey: 'only one of two' });
    const page = await owner.page('');
    expect(concernsOf(page)).toEqual(['key-missing']);
    expect(textOf(page, 'key-missing')).toContain('Missing: Marketplace key.');
    outcome = 'ok';
    admin.clock.advance(2 * 60_000);
    expect(concernsOf(await owner.page(''))).toEqual([]);
  });

  test('a saved key that cannot be read', async () => {
    const { admin, owner } = await startSettled();
    await connect(admin, 'default', { apiKey: 'sealed under this key' });
    const saved = await admin.store.secrets.findSecret('default', 'upstream-api-key');
    const sealed = `${saved!.sealed.slice(0, -6)}AAAAAA`;
    await admin.store.secrets.putSecret({ ...saved!, sealed, updatedAt: new Date() });
    const page = await owner.page('');
    expect(concernsOf(page)).toEqual(['secret-unreadable']);
    expect(page).toContain('key cannot be read');
  });

  test('workspaces whose token cannot be read, by name, for those who may see them', async () => {
    const { admin, owner } = await startSettled();
    await admin.deps.slackCredentials.save(systemActor, anyApp);
    await admin.deps.slackInstallations.install(anyWorkspace, 'default');
    await admin.deps.slackInstallations.install({ ...anyWorkspace, id: 'T0002', name: 'Well' }, 'default');
    expect(concernsOf(await owner.page(''))).toEqual([]);
    const tokens = await admin.store.secrets.listSecrets(null, 100);
    const token = tokens.find(({ name }) => name.includes(anyWorkspace.id))!;
    await admin.store.secrets.resealSecret(token, `given-up.${token.sealed.slice(0, -6)}AAAAAA`);
    const page = await owner.page('');
    expect(concernsOf(page)).toEqual(['workspaces-unreadable']);
    expect(textOf(page, 'workspaces-unreadable')).toMatch(/one Slack workspace .*Faculty of Lyon: /);
    const stranger = await admin.signInAs('viewer', [(await admin.addTenant('Other')).id]);
    expect(concernsOf(await stranger.page(''))).not.toContain('workspaces-unreadable');
  });

  test('feedback that waits for more than an hour, and what was refused this week', async () => {
    const { admin, owner } = await startSettled();
    await saveAged(admin, 'default', 'waiting', HOUR_MS - 1);
    await saveAged(admin, 'default', 'delivered', 5 * DAY_MS);
    await saveAged(admin, 'default', 'refused', 8 * DAY_MS);
    expect(concernsOf(await owner.page(''))).toEqual([]);
    await saveAged(admin, 'default', 'waiting', HOUR_MS + 1);
    await saveAged(admin, 'default', 'refused', 6 * DAY_MS);
    const page = await owner.page('');
    expect(concernsOf(page)).toEqual(['feedback-waiting', 'feedback-refused']);
    expect(textOf(page, 'feedback-waiting')).toContain('Mar 1, 2026, 8:59 AM UTC');
  });

  test('feedback that is parked, however old, before what still waits', async () => {
    const { admin, owner } = await startSettled();
    await saveAged(admin, 'default', 'waiting', 2 * HOUR_MS);
    await saveAged(admin, 'default', 'parked', 90 * DAY_MS);
    await saveAged(admin, 'default', 'parked', HOUR_MS);
    const page = await owner.page('');
    expect(concernsOf(page)).toEqual(['feedback-parked', 'feedback-waiting']);
    expect(textOf(page, 'feedback-parked')).toContain('2 pieces of feedback were not delivered');
    expect(page).toContain('href="/admin/feedback?state=parked"');
  });

  test('addresses that are imported again, where the last time failed, broke off or waits', async () => {
    const admin = await start();
    const aliveUntil = new Date(admin.clock.now().getTime() - 1);
    const add = ({ number: _, ...record }: ImportRecord) => admin.store.imports.addImport(record);
    for (const [dataset, state] of Object.entries({
      a: 'failed',
      b: 'running',
      c: 'checked',
      d: 'live',
    } as const)) {
      await add(importRecord(`${dataset}1`, { dataset, rhythm: 'daily' }));
      await add(importRecord(`${dataset}2`, { dataset, rhythm: 'daily', state, aliveUntil }));
    }
    await add(importRecord('f1', { dataset: 'f', rhythm: 'daily' }));
    await add(importRecord('f2', { dataset: 'f', state: 'failed', origin: null }));
    await add(importRecord('e', { dataset: 'e', rhythm: 'daily', state: 'failed' }));
    const page = await (await admin.signInAs('owner')).page('');
    expect(page).toContain('2 automatic imports failed');
    expect(page).toContain('Title of a2, Title of b2.');
    expect(page).toContain('An import waits for your decision');
    expect(page).toContain('Title of c2.');
  });

  test('keys that end within 14 days, the soonest first', async () => {
    const { admin, owner } = await startSettled();
    await createKey(admin, 'default', 15, 'Later');
    await createKey(admin, 'default', -1, 'Over');
    await createKey(admin, 'default', 2, 'First');
    admin.clock.advance(1000);
    await createKey(admin, 'default', 13, 'Second');
    const { id } = await createKey(admin, 'default', 3, 'Revoked');
    await admin.deps.apiKeys.revokeApiKey(systemActor, id);
    const text = textOf(await owner.page(''), 'keys-expiring');
    expect(text).toContain('2 API keys expire within 14 days');
    expect(text).toMatch(/First \(Mar 3.*Second \(Mar 14/);
    expect(text).not.toMatch(/Later|Over|Revoked/);
  });

  test('tenants without a key that works; a disabled one needs none', async () => {
    const { admin, owner } = await startSettled();
    const { id } = await admin.addTenant('Without');
    await createKey(admin, id, -1);
    const { id: disabled } = await admin.addTenant('Closed');
    await admin.deps.tenants.disableTenant(systemActor, disabled);
    const text = textOf(await owner.page(''), 'no-active-key');
    expect(text).toContain('One tenant');
    expect(text).toContain('Without');
    expect(text).not.toContain('Closed');
  });

  test('the worst is first, and a long list is cut', async () => {
    const { admin, owner } = await startSettled({ upstreams: upstreamsThat(() => callsThat('timed-out')) });
    await saveAged(admin, 'default', 'waiting', 2 * HOUR_MS);
    for (let n = 0; n < 9; n++)
      await connect(admin, (await admin.addTenant(`School ${n}`)).id, { apiKey: 'a key of it' });
    const page = await owner.page('');
    expect(concernsOf(page)).toEqual(Array.from({ length: 8 }, () => 'upstream-ill'));
    expect(page).toContain('href="/admin?concerns=all#attention"');
    const whole = concernsOf(await owner.page('?concerns=all'));
    expect(whole.slice(-3)).toEqual(['upstream-ill', 'feedback-waiting', 'no-active-key']);
    expect(textOf(await owner.page('?concerns=all'), 'no-active-key')).toContain('and 4 more');
  });
});

describe('Slack', () => {
  test('without its app, where workspaces are connected, does not work', async () => {
    const { admin, owner } = await startSettled();
    const foreign = await admin.signInAs('viewer', [(await admin.addTenant('Other')).id]);
    await createKey(admin, 'other', null);
    await admin.deps.slackInstallations.install(anyWorkspace, 'default');
    expect(concernsOf(await owner.page(''))).toEqual(['slack-app-missing']);
    expect(concernsOf(await foreign.page(''))).toEqual([]);
    await admin.deps.slackCredentials.save(systemActor, anyApp);
    expect(concernsOf(await owner.page(''))).toEqual([]);
  });

  test('commands are counted', async () => {
    const { admin, owner } = await startSettled();
    admin.deps.usage.count('default', 'slack-commands');
    const chart = (await owner.page('')).split('id="slack-commands-title"')[1]!.split('</section>')[0]!;
    expect(chart).toContain('<strong>1</strong>');
  });
});

describe('live health', () => {
  test('an upstream that takes its time does not hold up the page; it can be asked for afterwards', async () => {
    const answers: (() => void)[] = [];
    const slow = () => new Promise<UpstreamCall[]>((resolve) => answers.push(() => resolve(callsThat('ok'))));
    const { admin, owner } = await startSettled({ upstreams: upstreamsThat(slow) });
    await connect(admin, 'default', { apiKey: 'a saved key' });
    const page = await owner.page('');
    expect(page).toContain('checking…');
    expect(page).toContain('data-health="/admin/tenants/default/health"');
    expect(page).toContain('href="/admin/tenants/default/health"');
    expect(page).toContain('Nothing so far. Some connections are still being checked.');
    const asked = owner.get('/tenants/default/health', { accept: 'application/json' });
    // Answered after that was asked.
    await owner.page('/tenants');
    for (const answer of answers) answer();
    expect(await (await asked).json()).toEqual({
      state: 'well',
      mark: 'on',
      label: 'connected',
      explained: '',
      checked: 'checked at 10:00 AM UTC',
    });
    expect(await owner.page('')).toContain('Everything is fine.');
    expect(answers).toHaveLength(1);
  });

  test('without browser code it is a page', async () => {
    const { admin, owner } = await startSettled({ upstreams: upstreamsThat(() => callsThat('unreachable')) });
    await connect(admin, 'default', { apiKey: 'a saved key' });
    const page = await owner.page('/tenants/default/health');
    expect(page).toContain('not working');
    expect(page).toContain('No connection:');
  });

  test('a check that fails leaves the page as it is', async () => {
    const broken = upstreamsThat(() => Promise.reject(new Error('unexpected')));
    const { admin, owner } = await startSettled({ upstreams: broken });
    await connect(admin, 'default', { apiKey: 'a saved key' });
    expect(await owner.page('')).toContain('checking…');
    await owner.page('/tenants/default/health', 500);
  });

  test('only of one’s own tenants', async () => {
    const { admin } = await startSettled();
    const { id } = await admin.addTenant('Own');
    const viewer = await admin.signInAs('viewer', [id]);
    await viewer.page(`/tenants/${id}/health`);
    await viewer.page('/tenants/default/health', 404);
  });
});

describe('what somebody of one tenant sees', () => {
  test('nothing of the others', async () => {
    const { admin } = await startSettled({ upstreams: upstreamsThat(() => callsThat('timed-out')) });
    await connect(admin, 'default', { apiKey: 'a saved key' });
    await createKey(admin, 'default', 3, 'Foreign key');
    await saveAged(admin, 'default', 'waiting', 2 * HOUR_MS);
    const { id } = await admin.addTenant('Own');
    await createKey(admin, id, null);
    await addUsage(admin, id, 1, 4321);
    const viewer = await admin.signInAs('viewer', [id]);
    const page = await viewer.page('');
    expect(concernsOf(page)).toEqual([]);
    expect(page).toContain('4,321');
    expect(page).not.toMatch(/Default|Foreign key|api\.example\.org|4,328/);
    expect(await viewer.page('?tenant=default')).toContain('4,321');
  });
});

describe('charts', () => {
  test('drawn, described, and as a table with every day', async () => {
    const { admin, owner } = await startSettled();
    await addUsage(admin, 'default', 29, 1234);
    await addUsage(admin, 'default', 30, 99_999);
    const page = await owner.page('');
    const chart = page.split('id="searches-title"')[1]!.split('</section>')[0]!;
    expect(chart).toContain('role="img"');
    expect(chart).toContain('1,241 in 30 days. Maximum: 1,234 on Jan 31. Today: 7.');
    expect(chart.match(/<tr><th scope="row">/g)).toHaveLength(30);
    expect(chart).toMatch(/<th scope="row">Mar 1<\/th><td class="number">7</);
    expect(chart).toMatch(/<th scope="row">Jan 31<\/th><td class="number">1,234</);
    expect(chart.match(/class="chart-bar[ "]/g)).toHaveLength(2);
    expect(chart.match(/class="chart-bar today"/g)).toHaveLength(1);
    expect(page).not.toContain('99,999');
    expect(page).not.toMatch(/ style=/);
  });

  test('of what was never counted, only that', async () => {
    const { owner } = await startSettled();
    const page = await owner.page('');
    expect(page.match(/<svg role="img"/g)).toHaveLength(1);
    expect(page).toContain('None in the last 30 days.');
    expect(page).not.toContain('not in this version');
  });

  test('of one tenant among several, chosen in the header for all pages', async () => {
    const { admin, owner } = await startSettled();
    const { id } = await admin.addTenant('<b>Bold</b> school');
    await addUsage(admin, id, 2, 55);
    const all = await owner.page('');
    expect(all).toContain('<strong>62</strong>');
    expect(all).toContain('&lt;b&gt;Bold&lt;/b&gt; school');
    expect(all).not.toContain('<b>Bold');
    const one = await owner.page(`?tenant=${id}`);
    expect(one).toContain('<strong>55</strong>');
    expect(one).toContain(`<option value="${id}" selected>`);
    const answer = await owner.post('/switch', { to: id, next: '/admin/keys' });
    expect(answer.headers.get('location')).toBe('/admin/keys');
    expect(await owner.page('')).toContain('<strong>55</strong>');
    await owner.post('/switch', { to: '', next: '/admin' });
    expect(await owner.page('')).toContain('<strong>62</strong>');
  });
});

test('in French', async () => {
  const { admin } = await startSettled({ upstreams: upstreamsThat(() => callsThat('key-refused')) });
  await connect(admin, 'default', { apiKey: 'a saved key' });
  const page = await (await admin.signInAs('owner', null, { language: 'fr' })).page('');
  expect(page).toContain('Vue d’ensemble');
  expect(page).toContain('Le service amont de Default institution ne fonctionne pas');
  expect(page).toContain('Les 30 derniers jours');
  expect(page).not.toMatch(/\b(?:overview|attention|health|upstream)\.\w+/);
});

const byRole = { search: '', sort: 'role', descending: false, page: 0, pageSize: 100 } as const;
