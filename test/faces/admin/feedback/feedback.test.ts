import { afterEach, describe, expect, test } from 'vitest';
import { systemActor } from '../../../../src/domain/admin.ts';
import { AppError } from '../../../../src/errors.ts';
import type { Upstreams } from '../../../../src/ports/upstream.ts';
import { createFakeLearningService } from '../../../fakes/learning-service.ts';
import { type RunningAdmin, startAdmin } from '../start-admin.ts';
import { saveFeedback } from './feedback-records.ts';

const running: RunningAdmin[] = [];
afterEach(async () => {
  for (const admin of running.splice(0)) await admin.close();
});

/** A host whose upstreams do `deliver` with feedback. */
async function start(deliver: () => Promise<void> = async () => {}): Promise<RunningAdmin> {
  const upstreams: Upstreams = {
    connect: () => ({ ...createFakeLearningService(), feedback: deliver }),
    test: async () => [],
  };
  const admin = await startAdmin({ upstreams });
  running.push(admin);
  return admin;
}

/** The ends of the addresses in the list, in its order. */
const urlsOf = (page: string) =>
  [...page.matchAll(/data-label="Learning resource"><a href="https:\/\/example\.org\/([^"]+)"/g)].map(([, end]) => end);

const at = (day: string) => new Date(`2026-02-${day}Z`);

describe('the list', () => {
  test('nothing yet says what will be here', async () => {
    const admin = await start();
    const page = await (await admin.signInAs('manager')).page('/feedback');
    expect(page).toContain('No feedback yet');
    expect(page).not.toContain('/feedback/export');
  });

  test('shows everything of a record, and nothing of it as markup', async () => {
    const admin = await start();
    const hostile = '"><script>alert(1)</script>';
    await saveFeedback(admin, {
      url: 'javascript:alert(1)',
      comment: `${hostile} said`,
      email: `${hostile}@example.org`,
      source: hostile,
      provider: hostile,
      state: 'refused',
      attempts: 3,
      lastError: `${hostile} 500`,
    });
    const page = await (await admin.signInAs('viewer')).page('/feedback');
    expect(page).not.toContain('<script>alert');
    expect(page).not.toMatch(/href="javascript:/i);
    for (const text of ['javascript:alert(1)', 'said', '@example.org', 'refused', '3 attempts', ' 500'])
      expect(page).toContain(text);
  });

  test('a long comment is folded, and whole', async () => {
    const admin = await start();
    await saveFeedback(admin, { comment: `${'Many words. '.repeat(60)}The end.` });
    const page = await (await admin.signInAs('viewer')).page('/feedback');
    expect(page).toContain('<details class="comment">');
    expect(page).toContain('The end.');
  });

  test('newest first; by time and address the other way, too', async () => {
    const admin = await start();
    await saveFeedback(admin, { url: 'https://example.org/b', receivedAt: at('01T10:00:00') });
    await saveFeedback(admin, { url: 'https://example.org/a', receivedAt: at('02T10:00:00') });
    await saveFeedback(admin, { url: 'https://example.org/c', receivedAt: at('03T10:00:00') });
    const viewer = await admin.signInAs('viewer');
    expect(urlsOf(await viewer.page('/feedback'))).toEqual(['c', 'a', 'b']);
    expect(urlsOf(await viewer.page('/feedback?sort=receivedAt&dir=asc'))).toEqual(['b', 'a', 'c']);
    expect(urlsOf(await viewer.page('/feedback?sort=url'))).toEqual(['a', 'b', 'c']);
    const page = await viewer.page('/feedback?sort=url&dir=desc');
    expect(urlsOf(page)).toEqual(['c', 'b', 'a']);
    expect(page).toContain('aria-sort="descending"');
  });

  test('pages, and keeps its filter on the way', async () => {
    const admin = await start();
    for (let n = 0; n < 30; n++) await saveFeedback(admin, { state: 'refused' });
    await saveFeedback(admin, { state: 'delivered' });
    const viewer = await admin.signInAs('viewer');
    const first = await viewer.page('/feedback?state=refused');
    expect(urlsOf(first)).toHaveLength(25);
    expect(first).toContain('1–25 of 30');
    const next = /href="\/admin([^"]+)" rel="next"/.exec(first)![1]!.replaceAll('&amp;', '&');
    const second = await viewer.page(next);
    expect(urlsOf(second)).toHaveLength(5);
    expect(second).toContain('26–30 of 30');
  });

  test('filters by everything there is to choose', async () => {
    const admin = await start();
    const { id: other } = await admin.addTenant('Other');
    await saveFeedback(admin, { url: 'https://example.org/waiting', state: 'waiting' });
    await saveFeedback(admin, { url: 'https://example.org/other', tenantId: other });
    await saveFeedback(admin, { url: 'https://example.org/openlearn', provider: 'openlearn' });
    await saveFeedback(admin, { url: 'https://example.org/said', comment: 'École trop loin' });
    await saveFeedback(admin, { url: 'https://example.org/early', receivedAt: at('10T00:00:00') });
    await saveFeedback(admin, { url: 'https://example.org/late', receivedAt: at('12T23:59:59.999') });
    const viewer = await admin.signInAs('viewer');
    const found = async (query: string) => urlsOf(await viewer.page(`/feedback?sort=url&${query}`));
    expect(await found('state=waiting')).toEqual(['waiting']);
    expect(await found(`tenant=${other}`)).toEqual(['other']);
    expect(await found('provider=openlearn')).toEqual(['openlearn']);
    expect(await found('q=ECOLE')).toEqual(['said']);
    expect(await found('from=2026-02-10&until=2026-02-12')).toEqual(['early', 'late']);
    expect(await found('from=2026-02-11&until=2026-02-12')).toEqual(['late']);
    expect(await found('until=2026-02-11')).toEqual(['early']);
    expect(await found('state=odd&from=2026-02-31&until=yesterday')).toHaveLength(6);
    const page = await viewer.page('/feedback?state=refused&q=%22%3E%3Cb%3E');
    expect(page).toContain('No feedback matches these filters');
    expect(page).toContain('value="&quot;&gt;&lt;b&gt;"');
    expect(page).toContain('<option value="refused" selected>');
  });

  test('only of one’s own tenants', async () => {
    const admin = await start();
    const { id } = await admin.addTenant('Own');
    await saveFeedback(admin, { url: 'https://example.org/foreign', provider: 'foreign-provider' });
    await saveFeedback(admin, { url: 'https://example.org/own', tenantId: id });
    const manager = await admin.signInAs('manager', [id]);
    for (const query of ['', '?tenant=default', '?q=foreign']) {
      const page = await manager.page(`/feedback${query}`);
      expect(page).not.toMatch(/example\.org\/foreign|foreign-provider|Default/);
    }
    expect(urlsOf(await manager.page('/feedback'))).toEqual(['own']);
  });

  test('in French', async () => {
    const admin = await start();
    await saveFeedback(admin, { state: 'waiting' });
    const page = await (await admin.signInAs('manager', null, { language: 'fr' })).page('/feedback');
    expect(page).toContain('en attente');
    expect(page).toContain('Exporter en CSV (1)');
    expect(page).not.toMatch(/\bfeedback\.\w+</);
  });
});

describe('try now', () => {
  /** A host with one waiting record of a tenant with an upstream. */
  async function startWaiting(deliver?: () => Promise<void>) {
    const admin = await start(deliver);
    const { id: tenantId, version } = await admin.addTenant('Own');
    const upstream = { kind: 'direct', url: 'https://api.example.org' } as const;
    await admin.deps.tenants.changeUpstream(systemActor, tenantId, { version, upstream, apiKey: 'a key' });
    const state = { state: 'waiting', lastError: 'It was away.', destination: upstream.url } as const;
    const record = await saveFeedback(admin, { tenantId, ...state });
    return { admin, tenantId, record, path: `/tenants/${tenantId}/feedback/${record.id}/retry` };
  }

  test('delivers, says so, and comes back to the same list', async () => {
    const { admin, path, tenantId } = await startWaiting();
    const manager = await admin.signInAs('manager', [tenantId]);
    expect(await manager.page('/feedback')).toContain(`action="/admin${path}"`);
    const answer = await manager.post(path, { back: '/admin/feedback?sort=url&notice=feedback-refused' });
    expect(answer.headers.get('location')).toBe('/admin/feedback?sort=url&notice=feedback-delivered');
    const page = await manager.follow(answer);
    expect(page).toContain('Feedback delivered.');
    expect(page).not.toContain(`action="/admin${path}"`);
    const audit = await entriesOf(admin, 'feedback.retried');
    expect(audit.map(({ actor, tenantId: of }) => [actor.name, of])).toEqual([[manager.name, tenantId]]);
  });

  test('says that is still waiting, and why', async () => {
    const down = async () => {
      throw new AppError('UPSTREAM_UNREACHABLE', 'The upstream cannot be reached today.');
    };
    const { admin, path, record } = await startWaiting(down);
    const page = await await admin.signInAs('owner').then(async (owner) => owner.follow(await owner.post(path)));
    expect(page).toContain('is still waiting');
    expect(page).toContain(String((await admin.store.feedback.findFeedback(record.id))?.lastError));
    expect(page).not.toContain('It was away.');
  });

  test('says that it is being delivered where it is, and delivers nothing', async () => {
    let deliveries = 0;
    const { admin, path, record } = await startWaiting(async () => {
      deliveries++;
    });
    const now = admin.clock.now().getTime();
    await admin.store.feedback.claimFeedback(record.id, new Date(now), new Date(now + 60_000));
    const manager = await admin.signInAs('manager');
    const answer = await manager.post(path);
    expect(answer.headers.get('location')).toBe('/admin/feedback?notice=feedback-busy');
    expect(await manager.follow(answer)).toContain('is being delivered');
    expect(deliveries).toBe(0);
  });

  test('is there for what was refused', async () => {
    const { admin, path, record } = await startWaiting();
    const refused = { ...record, state: 'refused' };
    await admin.store.transfer.writeRecords('feedback', [{ key: record.id, record: refused }]);
    const manager = await admin.signInAs('manager');
    expect(await manager.page('/feedback')).toContain(`action="/admin${path}"`);
    expect(await manager.follow(await manager.post(path))).toContain('Feedback delivered.');
  });

  test('never leads elsewhere', async () => {
    const { admin, path } = await startWaiting();
    const owner = await admin.signInAs('owner');
    for (const back of ['https://evil.example/admin/feedback', '//evil.example', '/admin/keys', '/nowhere']) {
      const location = (await owner.post(path, { back })).headers.get('location');
      expect(location).toBe('/admin/feedback?notice=feedback-delivered');
    }
  });

  test('not for viewers, not for others’ managers, not without the token of the form', async () => {
    const { admin, path, tenantId, record } = await startWaiting();
    const viewer = await admin.signInAs('viewer');
    expect(await viewer.page('/feedback')).not.toContain('/retry');
    expect((await viewer.post(path)).status).toBe(403);
    const foreign = await admin.signInAs('manager', ['default']);
    expect((await foreign.post(path)).status).toBe(404);
    expect((await foreign.post(path.replace(tenantId, 'default'))).status).toBe(404);
    const owner = await admin.signInAs('owner');
    expect((await owner.post(path, {}, { csrf: null })).status).toBe(403);
    expect((await owner.post(path.replace(record.id, 'nothing'))).status).toBe(404);
    expect((await admin.store.feedback.findFeedback(record.id))?.state).toBe('waiting');
  });
});

describe('the export', () => {
  test('what the filter finds, as a file that no spreadsheet computes', async () => {
    const admin = await start();
    await saveFeedback(admin, {
      comment: '=HYPERLINK("http://evil.example")',
      email: '@x',
      receivedAt: at('01T09:00:00'),
    });
    await saveFeedback(admin, { comment: 'fine', state: 'refused' });
    const manager = await admin.signInAs('manager');
    const answer = await manager.post('/feedback/export', { state: 'delivered', from: '2026-02-01' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename=feedback-2026-03-01.csv');
    const bytes = new Uint8Array(await answer.arrayBuffer());
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const [heading, line, ...rest] = new TextDecoder().decode(bytes).trimEnd().split('\r\n');
    expect(heading).toMatch(/^Received \(UTC\),Tenant id,Tenant,Learning resource,Provider,Comment,/);
    expect(line).toMatch(/^2026-02-01T09:00:00\.000Z,default,Default institution,https:\/\/example\.org/);
    expect(line).toContain(`"'=HYPERLINK(""http://evil.example"")"`);
    expect(line).toContain(`,'@x,`);
    expect(rest).toEqual([]);
  });

  test('the page hands its filter on', async () => {
    const admin = await start();
    await saveFeedback(admin, { state: 'refused' });
    const page = await (await admin.signInAs('manager')).page('/feedback?state=refused&q=example');
    const form = page.split('action="/admin/feedback/export"')[1]!.split('</form>')[0]!;
    expect(form).toContain('name="state" value="refused"');
    expect(form).toContain('name="q" value="example"');
  });

  test('more than a page of it, and all of it', async () => {
    const admin = await start();
    for (let n = 0; n < 230; n++) await saveFeedback(admin);
    const text = await (await (await admin.signInAs('manager')).post('/feedback/export')).text();
    expect(text.trimEnd().split('\r\n')).toHaveLength(231);
  });

  test('is in the audit trail of every tenant it was taken from, with the filter but for what was searched', async () => {
    const admin = await start();
    const [one, two] = [await admin.addTenant('One'), await admin.addTenant('Two')];
    const manager = await admin.signInAs('manager', [one.id, two.id]);
    await (await manager.post('/feedback/export', { q: 'ada@example.org', state: 'parked' })).text();
    await (await manager.post('/feedback/export', { tenant: two.id })).text();
    await (await (await admin.signInAs('owner')).post('/feedback/export')).text();
    const entries = await entriesOf(admin, 'feedback.exported');
    expect(entries.map(({ tenantId, details }) => [tenantId, details])).toEqual(
      expect.arrayContaining([
        [one.id, { q: '…', state: 'parked' }],
        [two.id, { q: '…', state: 'parked' }],
        [two.id, { tenant: two.id }],
        [null, {}],
      ]),
    );
    expect(entries).toHaveLength(4);
  });

  test('only of one’s own tenants, not for viewers, not without the token of the form', async () => {
    const admin = await start();
    const { id } = await admin.addTenant('Own');
    await saveFeedback(admin, { comment: 'foreign words' });
    await saveFeedback(admin, { comment: 'own words', tenantId: id });
    const manager = await admin.signInAs('manager', [id]);
    for (const fields of [{}, { tenant: 'default' }]) {
      const text = await (await manager.post('/feedback/export', fields)).text();
      expect(text).toContain('own words');
      expect(text).not.toContain('foreign words');
    }
    expect((await manager.post('/feedback/export', {}, { csrf: null })).status).toBe(403);
    const viewer = await admin.signInAs('viewer');
    expect((await viewer.post('/feedback/export')).status).toBe(403);
    expect((await viewer.get('/feedback/export')).status).toBe(404);
    expect(await viewer.page('/feedback')).not.toContain('/feedback/export');
  });
});

async function entriesOf({ deps }: RunningAdmin, action: string) {
  const everything = { scope: null, action, period: { from: null, until: null }, search: '' };
  const { items } = await deps.audit.listEntries({ ...everything, page: 0, pageSize: 100, ascending: true });
  return items;
}
