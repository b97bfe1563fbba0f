import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../../../src/ports/store/store.ts';
import { rowsOf } from '../read-page.ts';
import { type RunningAdmin, type SignedInBrowser, someone, startAdmin } from '../start-admin.ts';

let admin: RunningAdmin;
let owner: SignedInBrowser;
let added = 0;

beforeEach(async () => {
  admin = await startAdmin();
  await admin.addTenant('Lyon');
  await admin.addTenant('Paris');
  owner = await admin.signInAs('owner', null, { name: 'Olga' });
});
afterEach(() => admin.close());

async function add(changes: Partial<AuditEntry>): Promise<void> {
  await admin.store.audit.addAuditEntry({
    id: `entry-${String(++added).padStart(6, '0')}`,
    at: new Date('2026-01-01T00:00:00Z'),
    actor: someone,
    tenantId: 'lyon',
    action: 'tenant.changed',
    target: 'Lyon',
    details: {},
    ...changes,
  });
}

const day = (date: number) => new Date(Date.UTC(2026, 0, date, 12));

describe('the list', () => {
  test('says when, who, from where, what, of what, where and how', async () => {
    await add({
      at: day(2),
      action: 'tenant.changed',
      details: { name: 'Lion → Lyon', 'defaults.lang': 'none → fr', 'defaults.freeOnly': 'false → true' },
    });
    const [row] = rowsOf(await owner.page('/audit?action=tenant.changed'));
    expect(row).toMatch(
      /^Jan 2, 2026 Someone 192\.0\.2\.1 Tenant changed Lyon Lyon name Lion → Lyon language none → fr free only no → yes$/,
    );
  });

  test('says it in French', async () => {
    await add({ action: 'admin.changed', tenantId: null, details: { role: 'viewer', tenants: 'all' } });
    await add({ action: 'tenant.changed', details: { 'defaults.lang': 'none → fr' } });
    const french = await admin.signInAs('owner', null, { language: 'fr' });
    expect(rowsOf(await french.page('/audit?action=admin.changed'))[0]).toContain(
      'Droits d’un administrateur modifiés Lyon Tout le serveur rôle Lecteur établissements tous',
    );
    expect(rowsOf(await french.page('/audit?action=tenant.changed'))[0]).toContain('langue aucun → fr');
  });

  test('leaves as it is what people wrote, and what it does not know', async () => {
    await add({ action: 'lti.registered', details: { name: 'owner', q: 'link', unheard: 'viewer' } });
    expect(rowsOf(await owner.page('/audit?q=Someone'))[0]).toContain(
      'lti.registered Lyon Lyon name owner search link unheard viewer',
    );
  });

  test('Walk U18: says three details, and folds the others', async () => {
    await add({ target: 'An import', details: { role: 'viewer', tenants: 'all', q: 'a', unheard: 'b', lang: 'c' } });
    const page = await owner.page('/audit?q=An+import');
    const [open = '', folded = ''] = page.split(/<details><summary>/);
    expect(open.match(/<dl class="details">.*/s)?.[0].match(/<dt>/g)).toHaveLength(3);
    expect(folded.match(/<dt>/g)).toHaveLength(2);
  });

  test('tells the host and the command line from people', async () => {
    await add({ actor: { kind: 'command', id: null, name: 'root', address: null }, target: 'by command' });
    expect(rowsOf(await owner.page('/audit?q=by+command'))[0]).toContain('root command line Tenant changed');
    expect(rowsOf(await owner.page('/audit?q=Skilldock'))[0]).toContain('Skilldock automatic Tenant created');
  });

  test('begins with the newest, unless told otherwise, and is shown in pages', async () => {
    for (let i = 1; i <= 30; i++) await add({ at: day(i), target: `Change ${i}` });
    const changes = (text: string) => rowsOf(text).map((row) => Number(/Change (\d+)/.exec(row)?.[1]));
    const newest = Array.from({ length: 30 }, (_, i) => 30 - i);
    const wanted = '/audit?q=change';
    const first = await owner.page(wanted);
    expect(changes(first)).toEqual(newest.slice(0, 25));
    expect(first).toContain('1–25 of 30');
    expect(changes(await owner.page(`${wanted}&page=1`))).toEqual(newest.slice(25));
    expect(changes(await owner.page(`${wanted}&sort=at&dir=asc`))[0]).toBe(1);
    expect(first).toContain('href="/admin/audit?q=change&amp;page=1"');
  });

  test('escapes what is in it', async () => {
    const hostile = '<img src=x onerror=alert(1)>';
    await add({
      actor: { ...someone, name: hostile, address: hostile },
      action: hostile,
      target: hostile,
      details: { [hostile]: hostile },
    });
    const text = await owner.page(`/audit?q=${encodeURIComponent(hostile)}`);
    expect(rowsOf(text)).toHaveLength(1);
    expect(text).not.toContain('<img src=x');
  });

  test('says so when nothing has happened, or nothing fits', async () => {
    const none = await owner.page('/audit?q=nobody-was-here');
    expect(none).toContain('No entries match these filters');
    expect(none).toContain('value="nobody-was-here"');
    const viewer = await admin.signInAs('viewer', ['nowhere']);
    expect(await viewer.page('/audit')).toContain('No entries yet');
  });
});

describe('the filters', () => {
  beforeEach(async () => {
    await add({ at: new Date('2026-01-10T00:00:00Z'), target: 'first moment' });
    await add({ at: new Date('2026-01-11T23:59:59.999Z'), target: 'last moment', action: 'tenant.disabled' });
    await add({ at: new Date('2026-01-12T00:00:00Z'), target: 'too late moment', tenantId: 'paris' });
  });

  test.each([
    ['from=2026-01-10&until=2026-01-11', ['last', 'first']],
    ['from=2026-01-11', ['too late', 'last']],
    ['until=2026-01-10', ['first']],
    ['from=2026-01-10&until=2026-01-10', ['first']],
    ['from=2026-02-30&until=nonsense', ['too late', 'last', 'first']],
    ['action=tenant.disabled', ['last']],
    ['action=drop.table', ['too late', 'last', 'first']],
    ['tenant=paris', ['too late']],
    ['tenant=nowhere', []],
  ])('%s finds %j', async (query, found) => {
    const rows = rowsOf(await owner.page(`/audit?q=moment&${query}`));
    expect(rows.map((row) => /(first|last|too late) moment/.exec(row)![1])).toEqual(found);
  });

  test('look at people, things and addresses, in any case and without accents', async () => {
    await add({ actor: { ...someone, name: 'Zoé' }, target: 'x' });
    for (const q of ['ZOE', 'zoé']) expect(rowsOf(await owner.page(`/audit?q=${q}`))).toHaveLength(1);
    expect(rowsOf(await owner.page('/audit?q=192.0.2'))).toHaveLength(4);
  });

  test('stay as they were chosen, also through pages and exports', async () => {
    const text = await owner.page('/audit?q=moment&action=tenant.changed&from=2026-01-01&until=2026-01-31&tenant=lyon');
    expect(text).toContain('<option value="tenant.changed" selected>');
    expect(text).toContain('<option value="lyon" selected>');
    expect(text).toContain('type="date" value="2026-01-01"');
    expect(text).toContain('type="date" value="2026-01-31"');
    for (const field of ['q" value="moment', 'action" value="tenant.changed', 'tenant" value="lyon'])
      expect(text).toContain(`<input type="hidden" name="${field}">`);
  });
});

describe('scope', () => {
  beforeEach(async () => {
    await add({ tenantId: 'lyon', target: 'of Lyon' });
    await add({ tenantId: 'paris', target: 'of Paris' });
    await add({ tenantId: null, target: 'of the host' });
  });

  const of = (text: string) => [...text.matchAll(/of (?:Lyon|Paris|the host)/g)].map(([found]) => found);

  test.each([
    ['viewer', ['lyon'], ['of Lyon']],
    ['manager', ['paris'], ['of Paris']],
    ['viewer', ['lyon', 'paris'], ['of Paris', 'of Lyon']],
    ['viewer', null, ['of the host', 'of Paris', 'of Lyon']],
    ['viewer', [], []],
  ] as const)('a %s of %j sees %j', async (role, tenants, found) => {
    const browser = await admin.signInAs(role, tenants);
    expect(
      rowsOf(await browser.page('/audit?q=of'))
        .flatMap(of)
        .sort(),
    ).toEqual([...found].sort());
  });

  test('cannot be widened by the address', async () => {
    const browser = await admin.signInAs('manager', ['paris']);
    expect(await browser.page('/audit?tenant=lyon&q=of')).not.toContain('of Lyon');
    const exported = await (await browser.post('/audit/export', { tenant: 'lyon', q: 'of' })).text();
    expect(exported).toContain('of Paris');
    expect(exported).not.toMatch(/of Lyon|of the host/);
  });
});

describe('the export', () => {
  test('is offered to managers only', async () => {
    const viewer = await admin.signInAs('viewer', ['lyon']);
    await add({});
    expect(await viewer.page('/audit')).not.toContain('/audit/export');
    expect((await viewer.post('/audit/export')).status).toBe(403);
    expect(await owner.page('/audit')).toContain('/audit/export');
    expect((await owner.post('/audit/export', {}, { csrf: null })).status).toBe(403);
  });

  test('as CSV has every entry that the filter finds, oldest first', async () => {
    for (let i = 1; i <= 1_100; i++) await add({ at: new Date(i * 1_000), target: `Change ${i}` });
    await add({ target: 'something else' });
    const answer = await owner.post('/audit/export', { format: 'csv', q: 'change' });
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="?audit-2026-03-01\.csv"?$/);
    const bytes = Buffer.from(await answer.arrayBuffer());
    const lines = bytes.toString('utf8').replace('\u{feff}', '').trimEnd().split('\r\n');
    expect(lines[0]).toBe('When (UTC),Who,Type of actor,IP address,Action,Target,Tenant ID,Details');
    expect(lines[1]).toBe('1970-01-01T00:00:01.000Z,Someone,admin,192.0.2.1,tenant.changed,Change 1,lyon,');
    expect(lines).toHaveLength(1_101);
    expect(lines.at(-1)).toContain('Change 1100');
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('makes no formula of %j', async (start) => {
    await add({
      actor: { ...someone, name: `${start} who`, address: `${start} where` },
      target: `${start} what`,
      details: { [start]: 'how' },
      tenantId: 'lyon',
    });
    const text = await (await owner.post('/audit/export', { format: 'csv', q: 'what' })).text();
    for (const cell of ['who', 'where', 'what', ': how'])
      expect(text).toContain(`'${start}${cell.startsWith(':') ? '' : ' '}${cell}`);
  });

  test('as JSON Lines has each entry as it is', async () => {
    await add({ id: 'whole', at: day(3), target: 'line\nbreak "quoted"', details: { role: 'viewer' } });
    const answer = await owner.post('/audit/export', { format: 'jsonl', q: 'quoted' });
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="?audit-2026-03-01\.jsonl"?$/);
    const lines = (await answer.text()).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        id: 'whole',
        at: '2026-01-03T12:00:00.000Z',
        actor: someone,
        tenantId: 'lyon',
        action: 'tenant.changed',
        target: 'line\nbreak "quoted"',
        details: { role: 'viewer' },
      },
    ]);
  });

  test('is in the audit trail of every tenant it was taken from', async () => {
    const manager = await admin.signInAs('manager', ['lyon', 'paris'], { name: 'Max' });
    await manager.post('/audit/export', { format: 'jsonl', from: '2026-01-01', q: 'Ada' });
    await owner.post('/audit/export', { format: 'csv' });
    expect(rowsOf(await owner.page('/audit?action=audit.exported&q=Max')).sort()).toEqual([
      expect.stringContaining('Audit trail exported Lyon format jsonl search … from 2026-01-01'),
      expect.stringContaining('Audit trail exported Paris format jsonl search … from 2026-01-01'),
    ]);
    expect(rowsOf(await owner.page('/audit?action=audit.exported&q=Olga'))).toEqual([
      expect.stringContaining('Audit trail exported Whole server format csv'),
    ]);
  });
});
