import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deadLink, linkCheck, unsureLink } from '../../../contract/store/link-check-records.ts';
import { link, placement, registration } from '../../../contract/store/lti-records.ts';
import { tenant } from '../../../contract/store/records.ts';
import { fullObject } from '../../../fakes/learning-service.ts';
import { type RunningAdmin, type SignedInBrowser, startAdmin } from '../start-admin.ts';

let admin: RunningAdmin;
let owner: SignedInBrowser;
beforeEach(async () => {
  admin = await startAdmin();
  owner = await admin.signInAs('owner');
});
afterEach(() => admin.close());

const at = new Date('2026-01-02T03:04:05Z');
const url = 'https://links.example.org/gone?a=1&b=2';
const object = { ...fullObject, title: 'Python & more', url };

/** Two courses of Lyon and one of Paris show an object whose address is dead. */
async function fill(): Promise<void> {
  const { tenants, ltiRegistrations, placements, linkChecks } = admin.store;
  for (const id of ['lyon', 'paris']) {
    await tenants.addTenant(tenant(id));
    await ltiRegistrations.addRegistration(registration(`moodle-${id}`, { tenantId: id }));
    const own = { tenantId: id, registrationId: `moodle-${id}`, object, placedAt: at };
    await placements.addPlacements([placement(`p-${id}`, own), placement(`old-${id}`, own)]);
  }
  for (const [id, tenantId, contextId] of [
    ['1', 'lyon', 'course-1'],
    ['2', 'lyon', 'course-2'],
    ['3', 'paris', 'course-3'],
  ] as const)
    await placements.openLink(
      link(id, { tenantId, contextId, registrationId: `moodle-${tenantId}`, placementId: `p-${tenantId}` }),
    );
  await linkChecks.saveLinkChecks([
    deadLink(url, { since: at, checkedAt: at }),
    deadLink('https://links.example.org/not-in-courses', { since: at }),
  ]);
}

const address = (tenantId: string) => `/tenants/${tenantId}/links?${new URLSearchParams({ url })}`;
const shown = async (linkId: string, tenantId = 'lyon') => {
  const found = await admin.store.placements.findLink(tenantId, linkId);
  return (await admin.store.placements.findPlacement(tenantId, found!.placementId))!;
};
const mendIn = (page: string) => /name="mend" value="([^"]+)"/.exec(page)![1]!;

describe('the list', () => {
  test('of all the catalogue: never checked, then the dead ones first, searched', async () => {
    expect(await owner.page('/catalogue/links?of=all')).toContain('Links have not been checked yet');
    await admin.store.linkChecks.saveLinkChecks([
      linkCheck('https://links.example.org/fine'),
      unsureLink('https://links.example.org/slow'),
      deadLink('https://links.example.org/gone'),
    ]);
    const page = await owner.page('/catalogue/links?of=all');
    expect(page.indexOf('/gone')).toBeGreaterThan(0);
    expect(page.indexOf('/gone')).toBeLessThan(page.indexOf('/slow'));
    expect(page).not.toContain('/fine');
    expect(page).toContain('page not found (404)');
    expect(await owner.page('/catalogue/links?of=all&q=slow')).not.toContain('/gone');
    expect(await owner.page('/catalogue')).toContain('1 broken link.');
  });

  test('of all the catalogue is for who sees every tenant: it has addresses in courses of others', async () => {
    await fill();
    await admin.store.linkChecks.saveLinkChecks([deadLink('https://drive.example.org/only-in-a-course-of-paris')]);
    expect(await owner.page('/catalogue/links?of=all')).toContain('only-in-a-course-of-paris');
    const page = await (await admin.signInAs('viewer', ['lyon'])).page('/catalogue/links?of=all');
    expect(page).not.toMatch(/only-in-a-course-of-paris|Whole catalogue/);
    expect(page).toContain('Python &amp; more');
  });

  test('of those in courses has the object, since when, and in how many courses, of own tenants only', async () => {
    expect(await owner.page('/catalogue/links')).toContain('No broken links in courses');
    await fill();
    const page = await owner.page('/catalogue/links');
    expect(page).toContain('Python &amp; more');
    expect(page).toContain('<span class="quiet">Tenant lyon</span>');
    expect(page).toContain('<span class="quiet">Tenant paris</span>');
    expect(page).not.toContain('not-in-courses');
    expect(page).toContain('Jan 2, 2026');
    expect(page.indexOf('<span class="quiet">Tenant lyon</span>')).toBeLessThan(
      page.indexOf('<span class="quiet">Tenant paris</span>'),
    );
    expect(await owner.page('/catalogue/links?q=python')).toContain('<span class="quiet">Tenant lyon</span>');
    expect(await owner.page('/catalogue/links?q=nothing')).not.toContain('<span class="quiet">Tenant lyon</span>');
    expect(await owner.page('/')).toContain('2 broken links in courses');
    const manager = await admin.signInAs('manager', ['paris']);
    expect(await manager.page('/catalogue/links')).not.toContain('<span class="quiet">Tenant lyon</span>');
    expect(await manager.page('/')).toContain('One broken link in courses');
    await manager.page(address('lyon'), 404);
  });
});

describe('a dead link', () => {
  test('is replaced everywhere in its tenant, and all of it is undone', async () => {
    await fill();
    const before = await owner.page(address('lyon'));
    expect(before).toContain('Python for everybody');
    expect(before).toContain('equivalent, as far as we know');
    const fields = { url, by: fullObject.url, link: '' };
    const page = await owner.follow(await owner.post('/tenants/lyon/links/replace', fields));
    expect(page).toContain('Replaced in 2 links.');
    for (const id of ['1', '2'])
      expect(await shown(id)).toMatchObject({ object: fullObject, title: fullObject.title, points: 10 });
    expect((await shown('2')).contextId).toBe('course-2');
    expect((await shown('3', 'paris')).object).toEqual(object);
    expect(await owner.page('/catalogue/links')).not.toContain('<span class="quiet">Tenant lyon</span>');
    // One of them was changed since: it stays.
    await admin.store.placements.replaceLinkPlacement('lyon', '2', 'old-lyon');
    const undone = await owner.follow(await owner.post('/tenants/lyon/links/undo', { url, mend: mendIn(page) }));
    expect(undone).toContain('Undone.');
    expect(await shown('1')).toMatchObject({ object, title: 'Called p-lyon' });
    expect((await shown('1')).placedAt > at).toBe(true);
    expect((await shown('2')).id).toBe('old-lyon');
    await owner.post('/tenants/lyon/links/undo', { url, mend: mendIn(page) }).then(({ status }) => {
      expect(status).toBe(409);
    });
    const trail = await owner.page('/audit');
    expect(trail).toContain('Broken link replaced');
    expect(trail).toContain('Action on a broken link undone');
  });

  test('is not called broken in the audit trail where it works', async () => {
    await fill();
    await admin.store.linkChecks.saveLinkChecks([linkCheck(url)]);
    const page = await owner.follow(
      await owner.post('/tenants/lyon/links/replace', { url, by: fullObject.url, link: '1' }),
    );
    await owner.post('/tenants/lyon/links/undo', { url, mend: mendIn(page) });
    const { items } = await admin.deps.audit.listEntries({
      scope: null,
      action: null,
      period: { from: null, until: null },
      search: '',
      ascending: true,
      page: 0,
      pageSize: 100,
    });
    const actions = items.map(({ action }) => action).filter((action) => /placed-object|dead-link/.test(action));
    expect(actions).toEqual(['placed-object.replaced', 'placed-object.undone']);
  });

  test('is replaced in one course only', async () => {
    await fill();
    await owner.post('/tenants/lyon/links/replace', { url, by: fullObject.url, link: '2' });
    expect([(await shown('1')).object.url, (await shown('2')).object.url]).toEqual([url, fullObject.url]);
    const forged = { url, by: 'https://evil.example/', link: '1' };
    expect((await owner.post('/tenants/lyon/links/replace', forged)).status).toBe(409);
    expect((await shown('1')).object).toEqual(object);
  });

  test('is left as is, and comes back into the list with an undo', async () => {
    await fill();
    const page = await owner.follow(await owner.post('/tenants/lyon/links/leave', { url }));
    expect(await owner.page('/')).toContain('One broken link in courses');
    expect(await owner.page('/catalogue/links')).toContain('left as is');
    await owner.post('/tenants/lyon/links/undo', { url, mend: mendIn(page) });
    expect(await owner.page('/')).toContain('2 broken links in courses');
  });

  test('is reported as working: its own tenant gets it, the host looks again, and an undo makes it dead as it was', async () => {
    await fill();
    const check = async () => (await admin.store.linkChecks.findLinkChecks([url]))[0];
    const { deadLinks } = admin.deps;
    const page = await owner.follow(await owner.post('/tenants/lyon/links/look-again', { url }));
    expect(page).toContain('reported as working');
    expect(await deadLinks.findCheck('lyon', url)).toMatchObject({ state: 'unsure' });
    // What one tenant says is not taken for another one.
    expect(await deadLinks.findCheck('paris', url)).toMatchObject({ state: 'dead' });
    expect(await owner.page('/')).toContain('One broken link in courses');
    expect(await check()).toMatchObject({ state: 'dead', since: at, checkedAt: new Date(0) });
    await owner.post('/tenants/lyon/links/undo', { url, mend: mendIn(page) });
    expect(await deadLinks.findCheck('lyon', url)).toMatchObject({ state: 'dead', reason: 'not-found' });
    expect((await owner.post('/tenants/lyon/links/look-again', { url: 'https://no.example' })).status).toBe(404);
    // Where the host found that it does work, there is nothing more to say.
    const again = await owner.follow(await owner.post('/tenants/lyon/links/look-again', { url }));
    await admin.store.linkChecks.saveLinkChecks([linkCheck(url)]);
    await owner.post('/tenants/lyon/links/undo', { url, mend: mendIn(again) });
    expect(await deadLinks.findCheck('lyon', url)).toMatchObject({ state: 'alive' });
    expect((await owner.post('/tenants/lyon/links/look-again', { url })).status).toBe(404);
  });

  test('that dies again after somebody said that it works is asked about again', async () => {
    await fill();
    await owner.post('/tenants/lyon/links/look-again', { url });
    const [check] = await admin.store.linkChecks.findLinkChecks([url]);
    const since = new Date(admin.clock.now().getTime() + 1);
    await admin.store.linkChecks.saveLinkChecks([{ ...check!, since }]);
    expect(await admin.deps.deadLinks.findCheck('lyon', url)).toMatchObject({ state: 'dead' });
    expect(await owner.page('/')).toContain('2 broken links in courses');
  });

  test('is for managers to change, and for viewers to see', async () => {
    await fill();
    const viewer = await admin.signInAs('viewer', ['lyon']);
    expect(await viewer.page(address('lyon'))).not.toContain('Replace everywhere');
    expect((await viewer.post('/tenants/lyon/links/leave', { url })).status).toBe(403);
  });
});
