import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkView } from '../../../../demo/slack/block-kit/check.ts';
import { refreshHome } from '../../../../src/faces/slack/home/home-view.ts';
import { bareObject, fullObject } from '../../../fakes/learning-service.ts';
import { eraseData } from '../../../helpers/open-services.ts';
import { ada, buttonsOf, modal, type StartedHome, startHome, textsOf } from './start-home.ts';

let home: StartedHome;
beforeEach(async () => {
  home = await startHome();
});
afterEach(() => home.close());

const firstPage = { page: 0, pageSize: 100 };
const savedTitles = async (owner = ada) =>
  (await home.shelf.list(owner, firstPage)).items.map(({ object }) => object.title);

test('removes a saved object, says so, and stays on the page', async () => {
  for (let number = 1; number <= 7; number++) {
    await home.save({ ...bareObject, title: `Object ${number}`, url: `https://example.org/${number}` });
    home.clock.advance(1_000);
  }
  await home.open();
  await home.click('home_page_next', '1');
  await home.click('home_remove', buttonsOf(home.home(), 'home_remove')[0]);
  expect(await savedTitles()).toEqual(['Object 7', 'Object 6', 'Object 5', 'Object 4', 'Object 3', 'Object 1']);
  expect(textsOf(home.home())).toContain('Removed: Object 2');
  expect(textsOf(home.home())).toContain('6–6 of 6');
});

test('removes nothing else after a second click', async () => {
  await home.save(fullObject);
  await home.save(bareObject);
  await home.open();
  const [value] = buttonsOf(home.home(), 'home_remove');
  await home.click('home_remove', value);
  await home.click('home_remove', value);
  expect(await savedTitles()).toHaveLength(1);
  expect(textsOf(home.home())).not.toContain('Removed');
});

test('opens the modal of a repeated search before its results', async () => {
  await home.people.noteSearch(ada, 'docker type:video');
  await home.people.noteSearch(ada, 'python');
  await home.open();
  const reply = await home.click('home_search', buttonsOf(home.home(), 'home_search')[1]);
  if (reply.kind !== 'modal') throw new Error(`a modal, not ${reply.kind}`);
  expect(home.typed).toEqual([]);
  expect(await reply.afterwards?.()).toMatchObject({ kind: 'replace', message: { text: 'Found' } });
  expect(home.typed).toEqual(['docker type:video']);
  const isNewestFirst = () => {
    const texts = textsOf(home.home());
    return texts.indexOf('type:video') < texts.indexOf('python');
  };
  await expect.poll(isNewestFirst).toBe(true);
});

test('keeps a saved search until it is removed', async () => {
  await home.people.saveSearch(ada, 'SQL');
  await home.people.saveSearch(ada, 'Docker');
  await home.open();
  expect(textsOf(home.home())).toContain('Saved searches');
  const [first] = buttonsOf(home.home(), 'home_search');
  const reply = await home.click('home_search', first);
  if (reply.kind !== 'modal') throw new Error(`a modal, not ${reply.kind}`);
  await reply.afterwards?.();
  expect(home.typed).toEqual(['Docker']);
  await home.click('home_search_remove', first);
  expect(textsOf(home.home())).toContain('Removed: Docker');
  await home.click('home_search_remove', first);
  expect(textsOf(home.home())).not.toContain('Removed');
  expect(await home.people.listSavedSearches(ada)).toEqual(['SQL']);
  expect(buttonsOf(home.home(), 'home_search_remove')).toHaveLength(1);
});

test('draws Home anew if the search no longer exists', async () => {
  await home.people.noteSearch(ada, 'docker');
  await home.open();
  const [value] = buttonsOf(home.home(), 'home_search');
  await eraseData(home, ada);
  expect(await home.click('home_search', value)).toEqual({ kind: 'done' });
  expect(textsOf(home.home())).toContain('This has already been removed.');
  expect(home.typed).toEqual([]);
});

test('finds objects like a saved one, without that one', async () => {
  await home.save(fullObject);
  await home.open();
  const reply = await home.click('home_similar', buttonsOf(home.home(), 'home_similar')[0]);
  if (reply.kind !== 'modal') throw new Error(`a modal, not ${reply.kind}`);
  const found = await reply.afterwards?.();
  if (found?.kind !== 'replace') throw new Error(`objects, not ${found?.kind}`);
  expect(checkView({ ...reply.view, blocks: found.message.blocks })).toEqual([]);
  const text = JSON.stringify(found.message.blocks);
  expect(text).toContain(`<${bareObject.url}|Bare>`);
  expect(text).not.toContain(`<${fullObject.url}|`);
  expect(await home.people.listSearches(ada)).toEqual([]);
});

test('is drawn anew when something is saved in a modal', async () => {
  await home.open();
  refreshHome(home.contextOf(null));
  await home.save(fullObject);
  refreshHome(home.contextOf(modal));
  await expect.poll(() => textsOf(home.home())).toContain('Saved (1)');
  expect(home.published).toHaveLength(2);
});
