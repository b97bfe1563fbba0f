import { expect, onTestFinished, test } from 'vitest';
import { readSiteRobots } from '../../../../src/adapters/catalog/web/lrmi/site.ts';
import { readPagePicture } from '../../../../src/adapters/catalog/web/page.ts';
import { createOutbound } from '../../../../src/adapters/remote/outbound.ts';
import { noPrivateAccess } from '../../../../src/domain/private-hosts.ts';
import { createLinkChecks, createPlacedChecks } from '../../../../src/services/catalogue/link-checks/link-checks.ts';
import { linkCheck } from '../../../contract/store/link-check-records.ts';
import { link, placement } from '../../../contract/store/lti-records.ts';
import { tenant } from '../../../contract/store/records.ts';
import { createStandingClock } from '../../../fakes/clock.ts';
import { startWebSite } from '../../../fakes/web-site.ts';
import { makeTempDir } from '../../../helpers/temp-dir.ts';
import { openTestStore } from '../../../helpers/test-store.ts';

const HOUR_MS = 3_600_000;

/** Two hosts on one store, with two tenants whose courses show pages of one site. */
async function start() {
  const path = `${makeTempDir()}/store.db`;
  const clock = createStandingClock();
  const site = await startWebSite();
  const outbound = createOutbound({
    allowLoopback: true,
    allowHttp: true,
    privateAccess: noPrivateAccess,
    version: '1',
  });
  const stores = [openTestStore(path), openTestStore(path)] as const;
  const hosts = stores.map((store) =>
    createPlacedChecks({
      linkChecks: createLinkChecks({ ...store, clock, pace: { pauseMs: 0 } }),
      nonces: store.nonces,
      tools: { outbound, readSiteRules: readSiteRobots, readPicture: async (page) => readPagePicture(page) },
      clock,
      onProblem: expect.unreachable,
      intervalMs: 10,
    }),
  );
  const [store] = stores;
  for (const [id, page] of [
    ['lyon', 'both'],
    ['paris', 'both'],
    ['nice', 'gone'],
  ] as const) {
    await store.tenants.addTenant(tenant(id));
    const object = { ...placement('a').object, url: `${site.origin}/${page}` };
    await store.placements.addPlacements([placement(id, { tenantId: id, object })]);
    await store.placements.openLink(link(id, { tenantId: id, placementId: id }));
  }
  const replaced = placement('replaced', {
    object: { ...placement('a').object, url: `${site.origin}/replaced` },
  });
  await store.placements.addPlacements([replaced]);
  await store.placements.openLink(link('again', { chosenId: 'replaced', placementId: 'none' }));
  site.put('/both', 'Hello');
  onTestFinished(async () => {
    for (const host of hosts) await host.close();
    for (const each of stores) await each.close();
    await outbound.close();
    await site.close();
  });
  const [first, second] = hosts as [(typeof hosts)[0], (typeof hosts)[0]];
  return { first, second, store, site, clock };
}

test('one of several hosts checks what is in courses, each address once, and what failed every day', async () => {
  const { first, second, store, site, clock } = await start();
  const elsewhere = linkCheck('https://a.example/not-placed');
  await store.linkChecks.saveLinkChecks([elsewhere]);
  const [one, other] = await Promise.all([first.check(), second.check()]);
  expect([one, other].filter((report) => report !== null)).toMatchObject([{ listed: 2, checked: 2 }]);
  expect(site.requests.toSorted()).toEqual(['GET /both', 'GET /gone', 'GET /robots.txt']);
  expect(await store.linkChecks.findLinkChecks([elsewhere.url])).toEqual([elsewhere]);
  clock.advance(HOUR_MS - 1);
  expect(await second.check()).toBeNull();
  clock.advance(1);
  expect(await second.check()).toMatchObject({ listed: 2, due: 0 });
  clock.advance(23 * HOUR_MS);
  expect(await first.check()).toMatchObject({ checked: 1, counts: { unsure: 1 } });
  clock.advance(24 * HOUR_MS);
  expect(await second.check()).toMatchObject({ checked: 1, counts: { dead: 1 } });
  clock.advance(6 * 24 * HOUR_MS);
  expect(await first.check()).toMatchObject({ checked: 2 });
});

test('what was chosen is checked before anybody opens it', async () => {
  const { first, store, site } = await start();
  site.put('/chosen', 'Hello');
  const object = { ...placement('a').object, url: `${site.origin}/chosen` };
  await store.placements.addPlacements([placement('unopened', { object })]);
  expect(await first.check()).toMatchObject({ listed: 3, counts: { alive: 2 } });
});

test('a host that is closed stops at once, and another goes on', async () => {
  const { first, second, site } = await start();
  const isAsked = new Promise<void>((ask) => site.put('/both', () => ask()));
  first.start();
  await isAsked;
  await first.close();
  expect(await first.check()).toBeNull();
  site.put('/both', 'Hello');
  expect(await second.check()).toMatchObject({ listed: 2, counts: { alive: 1 } });
});
