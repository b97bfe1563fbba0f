import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMongoStore } from '../../../src/adapters/store/mongo/mongo-store.ts';
import { systemActor } from '../../../src/domain/admin.ts';
import { toSlackPerson } from '../../../src/domain/slack.ts';
import { DEFAULT_TENANT } from '../../../src/domain/tenant.ts';
import type { ShelfOwner } from '../../../src/ports/store/store.ts';
import { createStandingClock, type StandingClock } from '../../fakes/clock.ts';
import { fullObject } from '../../fakes/learning-service.ts';
import { type FakePerson, type SeenMessage, wordsOf } from '../../fakes/slack.ts';
import { startMongoServer } from '../../helpers/mongo-server.ts';
import { eraseData, type OpenTestStore, tester } from '../../helpers/open-services.ts';
import { openTestStore } from '../../helpers/test-store.ts';
import { createBrowser, locationOf } from './install/browser.ts';
import { manyObjects, serviceWith } from './learn/scripted-service.ts';
import { type RunningSlack, startSlack } from './start-slack.ts';

const mongo = await startMongoServer();
afterAll(() => mongo?.stop());

/** What people do first in Slack, all the way down to the store. */
describe.each<[string, OpenTestStore | null]>([
  ['the embedded store', openTestStore],
  [`MongoDB (${mongo?.kind})`, mongo === null ? null : () => createMongoStore(mongo.newUri())],
])('on %s', (_name, openStore) => {
  describe.skipIf(openStore === null)('Slack', () => {
    let running: RunningSlack;
    let clock: StandingClock;
    let ada: FakePerson;
    beforeEach(async () => {
      clock = createStandingClock(new Date().toISOString());
      running = await startSlack({ clock, isInstalled: false, openStore: openStore ?? undefined });
      Object.assign(running.services.local, { searchMany: serviceWith(manyObjects(12)).searchMany });
      ada = running.slack.ada;
    });
    afterEach(async () => {
      const { slack, services } = running;
      await running.close();
      expect([slack.problems, services.problems]).toEqual([[], []]);
    });

    /** All the way through Slack's page. @returns the status of the last page */
    async function install(token?: string): Promise<number> {
      const browser = createBrowser();
      const query = token === undefined ? '' : `?token=${token}`;
      const begun = await browser.get(`${running.url}/slack/install${query}`);
      const page = await browser.get(await running.slack.approve(locationOf(begun)));
      return page.status;
    }

    const owner = (): ShelfOwner => ({
      tenantId: DEFAULT_TENANT,
      person: toSlackPerson(running.slack.teams.acme.id, ada.userId),
    });
    const countRecords = async (name: 'people' | 'shelf' | 'slackInstallations' | 'secrets') =>
      (await running.services.store.transfer.readRecords(name, null, 100)).length;
    const homeWith = (words: string) => ada.waitsForHome((view) => wordsOf(view).includes(words));
    const modalWith = (words: string) => ada.waitsForModal((view) => wordsOf(view).includes(words));

    test('installs, searches, saves, shares, shows Home, and erases everything', async () => {
      expect(await install()).toBe(200);
      await ada.types('/learn python');
      const found = await ada.waitsForMessage(saying('12 resources'));
      await clickFirst(ada, found, 'learn_save');
      const saved = await ada.waitsForMessage(saying('Saved'));
      await clickFirst(ada, saved, 'learn_share');
      await ada.submits(await modalWith('will see this'), {});
      await running.slack.benoit.waitsForMessage(saying('Shared by'));
      await clickFirst(ada, saved, 'learn_share');
      await ada.submits(await modalWith('will see this'), {});
      await modalWith('already shared this here');
      await ada.opensHome();
      expect(wordsOf(await homeWith('Saved (1)'))).toContain('python');
      expect(await Promise.all([countRecords('people'), countRecords('shelf')])).toEqual([1, 1]);
      const { savedStates } = running.services;
      const token = await savedStates.keep(owner(), 'what a button stands for');
      clock.advance(60_000);
      await running.slack.uninstall('acme');
      await expect.poll(() => countRecords('slackInstallations')).toBe(0);
      const left = ['people', 'shelf', 'secrets'] as const;
      const countLeft = async () => {
        // Does now what else is done a minute later.
        await running.services.slackInstallations.close();
        return Promise.all(left.map(countRecords));
      };
      await expect.poll(countLeft).toEqual([0, 0, 0]);
      expect(await savedStates.find(owner(), token)).toBeNull();
    });

    test('links with a course by a code, and erases', async () => {
      const { people, shelf } = running.services;
      const inCourse = { tenantId: DEFAULT_TENANT, person: 'lti:r1:ada' };
      await install();
      await shelf.save(inCourse, { object: fullObject, requestId: null });
      const { code } = await people.createLinkCode(inCourse);
      await ada.opensHome();
      await ada.clicks(await homeWith('Nothing saved'), 'home_link');
      const modal = await modalWith('type this code');
      await ada.submits(modal, { home_link_code: 'AAAA-AAAA' });
      const refused = await ada.waitsForModal(({ errors }) => 'home_link_code' in errors);
      await ada.submits(refused, { home_link_code: code.toLowerCase() });
      await modalWith('Linked.');
      expect(await people.countLinked(owner())).toBe(1);
      await homeWith('Saved (1)');
      await eraseData(running.services, owner());
      expect(await people.countLinked(inCourse)).toBe(0);
      await ada.opensHome();
      await homeWith('Nothing saved');
    });

    test("installs by an institution's link, which another institution cannot take over", async () => {
      const { tenants, slackInstallLinks, store } = running.services;
      const tokens: string[] = [];
      const ids: string[] = [];
      for (const name of ['Lyon', 'Paris']) {
        const { id } = await tenants.createTenant(tester, name);
        ids.push(id);
        tokens.push((await slackInstallLinks.create(systemActor, id)).token);
      }
      expect([await install(tokens[0]), await install(tokens[1])]).toEqual([200, 409]);
      clock.advance(1_000);
      expect(await install()).toBe(200);
      const { id } = running.slack.teams.acme;
      expect(await store.slackInstallations.findInstallation(id)).toMatchObject({
        tenantId: ids[0],
        installedAt: clock.now(),
      });
      expect(await countRecords('secrets')).toBe(1);
    });
  });
});

const saying = (text: string) => (message: SeenMessage) => wordsOf(message).includes(text);

/** Clicks in the row of the first object. */
async function clickFirst(person: FakePerson, message: SeenMessage, actionId: string): Promise<void> {
  for (const { block_id: blockId, ...block } of message.blocks) {
    const { elements = [] } = block as { elements?: readonly { action_id?: string; value?: string }[] };
    const found = elements.find(({ action_id }) => action_id === actionId);
    if (found) {
      await person.chooses(message, actionId, found.value ?? '', blockId);
      return;
    }
  }
  throw new Error(`There is no ${actionId}`);
}
