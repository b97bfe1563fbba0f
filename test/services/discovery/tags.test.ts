import { describe, expect, test } from 'vitest';
import { tagText } from '../../../src/services/discovery/discovery.ts';
import { openStarterService } from '../../adapters/local/starter-service.ts';
import { errorOf, useRemote } from '../../adapters/remote/start-remote.ts';
import { answersOf } from './discovery-parts.ts';

describe('with our own engine', () => {
  const answers = answersOf(openStarterService().learning);

  test.each([
    ['The course introduces machine learning with Python and its statistics.', 'en', 'machine learning'],
    ["Ce cours présente l'apprentissage automatique avec Python.", 'fr', 'apprentissage automatique'],
    ['Dieser Kurs ist eine Einführung in das maschinelle Lernen mit Python.', 'de', 'Python'],
  ])('a text is tagged in its language: %s', async (text, lang, tag) => {
    const found = await tagText(answers, { text });
    expect(found).toMatchObject({ lang, isLangDetected: true });
    expect(found.tags).toContain(tag);
  });

  test('a given language is kept', async () => {
    const text = 'The course introduces machine learning with Python.';
    expect(await tagText(answers, { text, lang: 'fr' })).toMatchObject({ lang: 'fr', isLangDetected: false });
  });
});

describe('with an upstream', () => {
  const remote = useRemote();
  const answers = () => answersOf(remote.upstreams.connect(remote.direct()), 'upstream.example');
  const text = 'Nous cherchons une boulangère expérimentée.';

  test('languages that it cannot list may still be those of the taxonomies', async () => {
    remote.upstream.reply('lang', { status: 500, body: {} });
    const found = await tagText(answers(), { text });
    expect(found).toMatchObject({ lang: 'fr', isLangDetected: true, tags: ['SQL', 'Teaching'] });
    expect(found.source.upstream).toBe('upstream.example');
  });

  test('languages that it lists are not the only ones', async () => {
    const found = await tagText(answers(), { text: 'We are looking for an experienced baker.' });
    expect(found).toMatchObject({ lang: 'en', isLangDetected: true });
  });

  test('a given language saves asking for the list', async () => {
    await tagText(answers(), { text, lang: 'fr' });
    expect(remote.upstream.requests.map(({ operation }) => operation)).toEqual(['tagger']);
  });

  test('it fails as the tagging does', async () => {
    remote.upstream.reply('tagger', { status: 400, body: {} });
    expect((await errorOf(tagText(answers(), { text }))).code).toBe('PARAMETERS_INVALID');
  });
});
