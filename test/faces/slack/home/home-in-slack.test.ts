import { afterEach, beforeEach, expect, test } from 'vitest';
import { toSlackPerson } from '../../../../src/domain/slack.ts';
import { DEFAULT_TENANT } from '../../../../src/domain/tenant.ts';
import { homeListeners } from '../../../../src/faces/slack/home/home.ts';
import { learnListeners } from '../../../../src/faces/slack/learn/learn.ts';
import { fullObject } from '../../../fakes/learning-service.ts';
import { type FakePerson, wordsOf } from '../../../fakes/slack.ts';
import { type RunningSlack, startSlack } from '../start-slack.ts';

let running: RunningSlack;
let ada: FakePerson;
const adaInCourse = { tenantId: DEFAULT_TENANT, person: 'lti:r1:ada' };
const owner = () => ({
  tenantId: DEFAULT_TENANT,
  person: toSlackPerson(running.slack.teams.acme.id, ada.userId),
});

beforeEach(async () => {
  running = await startSlack({
    listeners: [...learnListeners, ...homeListeners],
  });
  ada = running.slack.ada;
});
afterEach(async () => {
  const { problems } = running.slack;
  await running.close();
  expect(problems).toEqual([]);
});

const homeWith = (words: string) => ada.waitsForHome((view) => wordsOf(view).includes(words));
const modalWith = (words: string) => ada.waitsForModal((view) => wordsOf(view).includes(words));

test('opens Home, repeats a search and shows what was saved in its results', async () => {
  await running.services.people.noteSearch(owner(), 'python');
  await running.services.shelf.save(owner(), { object: fullObject, requestId: null });
  await ada.opensHome();
  await ada.clicks(await homeWith('python'), 'home_search');
  await ada.clicks(await modalWith('Bare'), 'learn_save');
  expect(wordsOf(await homeWith('Saved (2)'))).toContain('Bare');
});

test('removes a saved object, and finds similar ones', async () => {
  await running.services.shelf.save(owner(), { object: fullObject, requestId: null });
  await ada.opensHome();
  await ada.clicks(await homeWith('Saved (1)'), 'home_similar');
  await modalWith('Bare');
  await ada.clicks(ada.home()!, 'home_remove');
  await homeWith('Nothing saved yet.');
});

test('changes preferences, and draws Home in the chosen language', async () => {
  await ada.opensHome();
  await ada.clicks(await homeWith('No preferences yet'), 'home_preferences', 'Change');
  const modal = await modalWith('Providers');
  expect(await ada.looksUp(modal, 'home_providers', 'open')).toEqual([{ label: 'OpenLearn', value: 'openlearn' }]);
  await ada.submits(modal, { home_locale: 'fr', home_types: ['mooc'], home_providers: ['openlearn'] });
  expect(wordsOf(await homeWith('Préférences enregistrées'))).toContain('OpenLearn');
});

test('refuses a wrong code beside its field, and links by a right one', async () => {
  await running.services.shelf.save(adaInCourse, { object: fullObject, requestId: null });
  const { code } = await running.services.people.createLinkCode(adaInCourse);
  await ada.opensHome();
  await ada.clicks(await homeWith('Nothing saved yet'), 'home_link');
  const modal = await modalWith('type this code');
  await ada.submits(modal, { home_link_code: 'AAAA-AAAA' });
  const refused = await ada.waitsForModal(({ errors }) => 'home_link_code' in errors);
  expect(refused.errors.home_link_code).toContain('This code is not valid');
  await ada.submits(refused, { home_link_code: code });
  await modalWith('Linked.');
  await homeWith('Saved (1)');
});
