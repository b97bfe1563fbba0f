import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDiscovery } from '../../../../src/services/searching/discovery.ts';
import { openStarterService } from '../../../adapters/local/starter-service.ts';
import { wordsOf } from '../../../fakes/slack.ts';
import { answersOf, searchDepsOf } from '../../../services/searching/discovery/discovery-parts.ts';
import { type RunningSlack, startSlack } from '../start-slack.ts';

const { learning } = openStarterService();
const discovery = createDiscovery({ ...searchDepsOf(answersOf(learning)), count: () => {} });

let running: RunningSlack;
beforeEach(async () => {
  running = await startSlack({ deps: () => ({ discoveryOf: () => discovery }) });
});
afterEach(async () => {
  await running.close();
  expect(running.slack.problems).toEqual([]);
});

test('the global shortcut opens a form with every filter and proposals while typing', async () => {
  const { benoit } = running.slack;
  await benoit.usesShortcut('search_learning');
  const form = await benoit.waitsForModal();
  expect(form.title).toBe('Recherche');
  const [skill] = await benoit.looksUp(form, 'search_skill', 'dock');
  const [lang] = await benoit.looksUp(form, 'search_lang', 'angl');
  const [provider] = await benoit.looksUp(form, 'search_provider', 'you');
  expect([skill?.label, lang?.label, provider?.label]).toEqual(['Docker', 'Anglais', 'YouTube']);
  await benoit.submits(form, {
    search_skill: skill!.value,
    search_type: ['video'],
    search_level: ['beginner'],
    search_length: 'max:480min',
    search_price: 'free',
    search_lang: lang!.value,
    search_provider: [provider!.value],
    search_bloom: ['Understand'],
  });
  const results = await benoit.waitsForModal((view) => view.callbackId === 'search_found' && view.blocks.length > 1);
  expect(wordsOf(results)).toContain('Docker');
});

test('the form stays open if there is nothing to search for', async () => {
  const { ada } = running.slack;
  await ada.usesShortcut('search_learning');
  await ada.submits(await ada.waitsForModal(), { search_type: ['video'] });
  expect(ada.modal()!.errors).toEqual({ search_words: 'Type words, or choose a skill.' });
});
