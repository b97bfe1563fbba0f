import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bloomObjectives, learningObjectTypes } from '../../../src/domain/learning-object.ts';
import type { LearningService } from '../../../src/ports/learning-service.ts';
import { type OpenedService, openService, searchFor } from './services.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'skilldock-test-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

let service: OpenedService;
let learning: LearningService;
beforeAll(() => {
  service = openService('data', dataDir);
  learning = service.learning;
});

test('finds the provider of an object by its address', async () => {
  const { content } = await learning.ask('searchProvider', searchFor('python', { providers: ['edx'], max: 1 }));
  expect(await service.providerOf(content[0]!.url)).toBe('edx');
  expect(await service.providerOf('https://example.org/none')).toBeNull();
});

describe('the lists', () => {
  test('providers have four logos on this host, one of each kind', async () => {
    const providers = await learning.ask('listProviders', {});
    expect(providers.length).toBeGreaterThanOrEqual(14);
    for (const { id, name, url, logos } of providers) {
      expect([name, url]).not.toContain('');
      expect(logos.map(({ colorScheme, aspectRatio }) => `${colorScheme} ${aspectRatio}`).sort()).toEqual([
        'dark landscape',
        'dark square',
        'light landscape',
        'light square',
      ]);
      for (const logo of logos) expect(logo.url).toContain(`https://skills.example.org/logos/${id}/`);
    }
  });

  test('types, objectives and languages have values to filter by, and descriptions', async () => {
    const types = await learning.ask('listTypes', {});
    const blooms = await learning.ask('listBlooms', {});
    const languages = await learning.ask('listLanguages', {});
    expect(types.map(({ value }) => value)).toEqual([...learningObjectTypes]);
    expect(blooms.map(({ value }) => value)).toEqual([...bloomObjectives]);
    expect(languages).toContainEqual({ value: 'fr', description: 'French' });
    for (const { description } of [...types, ...blooms, ...languages]) expect(description).not.toBe('');
  });
});

describe('similar', () => {
  test('returns Skilldock terms and synonyms first, then other taxonomies by score', async () => {
    const terms = await learning.ask('similar', { keywords: 'software developer', lang: 'en' });
    const isOwn = terms.map(({ source }) => source.startsWith('Skilldock'));
    expect(isOwn).toEqual([...isOwn].sort((a, b) => Number(b) - Number(a)));
    expect(isOwn).toContain(false);
    const others = terms.filter((_, i) => !isOwn[i]).map(({ score }) => score!);
    expect(others).toEqual([...others].sort((a, b) => b - a));
  });

  test('returns 20 terms, or the requested number, of the requested taxonomy', async () => {
    expect(await learning.ask('similar', { keywords: 'management', lang: 'en' })).toHaveLength(20);
    expect(await learning.ask('similar', { keywords: 'management', lang: 'en', max: 3 })).toHaveLength(3);
    const occupations = await learning.ask('similar', {
      keywords: 'management',
      lang: 'en',
      source: 'ISCO-08',
    });
    expect(occupations.length).toBeGreaterThan(0);
    expect(new Set(occupations.map(({ source }) => source))).toEqual(new Set(['ISCO-08']));
    expect(await learning.ask('similar', { keywords: 'management', lang: 'en', source: 'none' })).toEqual([]);
  });

  test('answers in the requested language', async () => {
    const [english] = await learning.ask('similar', { keywords: 'welding', lang: 'en' });
    const [french] = await learning.ask('similar', { keywords: 'soudage', lang: 'fr' });
    expect([english!.label.toLowerCase(), french!.label.toLowerCase()]).toEqual(['welding', 'soudage']);
  });
});

describe('tagger', () => {
  const text = 'Our team writes Python and SQL every day, and manages projects.';

  test('returns at most ten tags, or the requested number', async () => {
    const { tokenizedText, lang, tags } = await learning.ask('tagger', { text, lang: 'en' });
    expect(lang).toBe('en');
    expect(tokenizedText).toContain('python');
    expect(tags).toEqual(expect.arrayContaining(['Python', 'SQL']));
    expect(tags.length).toBeLessThanOrEqual(10);
    expect((await learning.ask('tagger', { text, lang: 'en', max: 1 })).tags).toHaveLength(1);
  });

  test('returns places of evidence and guesses on request only', async () => {
    const asked = { text: 'My uncle, a python in his hands, wrote SQL at night.', lang: 'en' };
    expect(await learning.ask('tagger', { ...asked, spans: true })).toMatchObject({
      tags: ['SQL'],
      spans: [[39, 42]],
    });
    const all = await learning.ask('tagger', { ...asked, guesses: true, spans: true });
    expect(all.tags).toContain('Python');
    expect(all.spans?.[all.tags.indexOf('Python')]).toBeNull();
    expect(await learning.ask('tagger', asked)).not.toHaveProperty('spans');
  });

  test('finds no tags in a text without words', async () => {
    expect(await learning.ask('tagger', { text: '…', lang: 'en' })).toMatchObject({ tags: [] });
  });
});

describe('suggest', () => {
  test('completes keywords, and returns the words it used', async () => {
    const { keywordsTransformed, suggestions, quality } = await learning.ask('suggest', {
      keywords: 'Progr',
    });
    expect(keywordsTransformed).toEqual(['progr']);
    expect(suggestions.length).toBeGreaterThan(3);
    expect(quality).not.toBe('C00');
    for (const { score } of suggestions) expect(score).toBeGreaterThan(0);
  });

  test('reports that there are no suggestions', async () => {
    expect(await learning.ask('suggest', { keywords: 'qqqqzzzz' })).toMatchObject({
      suggestions: [],
      quality: 'C00',
    });
  });
});

describe('feedback', () => {
  const given = { email: 'ada@example.org', source: 'https://school.example.org' };

  test('accepts feedback on a result of a search', async () => {
    const { requestId, content } = await learning.ask('searchProvider', searchFor('python'));
    expect(content.length).toBeGreaterThan(1);
    for (const { url } of content)
      await expect(learning.ask('feedback', { ...given, url, requestId, comment: 'Good' })).resolves.toBeUndefined();
  });

  test('refuses feedback on a result of another page, and with another id', async () => {
    const [first, second] = await Promise.all(
      [0, 1].map((page) => learning.ask('searchProvider', searchFor('python', { page, max: 2 }))),
    );
    const url = second!.content[0]!.url;
    for (const requestId of [first!.requestId, 'made.up.id'])
      await expect(learning.ask('feedback', { ...given, url, requestId })).rejects.toMatchObject({
        code: 'REQUEST_ID_INVALID',
      });
  });
});
