import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openEncoder } from '../../../../src/adapters/meaning/static-encoder.ts';
import { createDiscoverySearch } from '../../../../src/services/searching/discovery/search.ts';
import { planFromText } from '../../../../src/services/searching/plan/plan.ts';
import { findLanguageCourse } from '../../../../src/services/searching/plan/sections.ts';
import { openStarterService, readStarterRecords } from '../../../adapters/local/starter-service.ts';
import { answersOf, searchDepsOf } from '../discovery/discovery-parts.ts';
import { anything, itemsOf, readAll, requestFor } from './plan-events.ts';

const courseOf = (head: string, lang: string, courseTitle?: string) => {
  const text = `${head}\n\nWeek 1: A\nb\nWeek 2: C\nd`;
  return findLanguageCourse({ text, ...(courseTitle && { courseTitle }) }, lang);
};

describe('a language is learnt', () => {
  test.each([
    ['Français A2', 'fr', 'fr', 'francais a2:'],
    ['Français langue étrangère, niveau A2', 'fr', 'fr', 'francais a2:'],
    ['FLE niveau A2', 'fr', 'fr', 'fle a2:'],
    ['Cours du soir – Français pour débutants', 'fr', 'fr', 'learn francais:'],
    ['Français\nNiveau : B1', 'fr', 'fr', 'francais b1:'],
    ['Anglais – classe de seconde', 'fr', 'en', 'learn anglais:'],
    ['ENG 101 – English B1 course', 'en', 'en', 'english b1:'],
    ['Business English B2', 'en', 'en', 'business english b2:'],
    ['English for nurses (B1)', 'en', 'en', 'learn english: nurses'],
    ['Spanish 101', 'en', 'es', 'learn spanish:'],
    ['Autumn term\nCourse: English as a second language', 'en', 'en', 'learn english:'],
    ['Deutschkurs A1 – Volkshochschule', 'de', 'de', 'deutschkurs a1:'],
    ['Deutsch als Fremdsprache', 'de', 'de', 'learn deutsch:'],
    ['Español para principiantes', 'es', 'es', 'learn espanol:'],
    ['Curso de inglés', 'es', 'en', 'learn ingles:'],
  ])('%s', (head, lang, code, lesson) => {
    expect(courseOf(head, lang)).toMatchObject({ code, lesson });
  });

  test('by the title of the course in the platform', () => {
    expect(courseOf('Autumn term', 'en', 'German A1')).toMatchObject({ code: 'de', lesson: 'german a1:' });
  });
});

test.each([
  ['Littérature française', 'fr'],
  ["Histoire de l'anglais", 'fr'],
  ['Français – classe de seconde', 'fr'],
  ['Marketing, cours en anglais (B2)', 'fr'],
  ['German cars', 'en'],
  ['English', 'en'],
  ['English literature', 'en'],
  ['Learning Python', 'en'],
  ['Deutsch, Klasse 8', 'de'],
  ['Deutsche Geschichte', 'de'],
  ['Historia de España', 'es'],
  ['Cocina francesa', 'es'],
])('%s is no course of a language', (head, lang) => {
  expect(courseOf(head, lang)).toBeNull();
});

describe('with our own engine', () => {
  const { learning } = openStarterService({ encoder: openEncoder() });
  const answers = answersOf(learning);
  const deps = { answers, search: createDiscoverySearch(searchDepsOf(answers)), count: () => {} };
  const query = { ...anything, match: 'best-effort', model: 'extended' } as const;
  const plan = async (text: string) =>
    itemsOf(await readAll(planFromText(deps, requestFor(text, { query, isSyllabus: true }))));

  test('sections of a language course get lessons of the language, not what their themes name', async () => {
    const text = readFileSync(join(import.meta.dirname, 'syllabi/french-a2-fr.txt'), 'utf8');
    const records = readStarterRecords();
    const items = await plan(text);
    expect(items.map(({ object }) => object.title)).toContain('Les prépositions de lieu (aide grammaticale)');
    expect(items.length).toBeGreaterThan(10);
    for (const { object } of items)
      expect(`${object.title} ${records.get(object.url)?.keywords}`).toMatch(/FLE|français|French/i);
  });

  test('the audience of the course and the theme come first', async () => {
    const [first] = await plan(
      'English for nurses\n\nUnit 1: Symptoms\n- taking a history\nUnit 2: Emails\n- business writing',
    );
    expect(first?.object.title).toBe('English for Healthcare');
  });

  test('a language without lessons gets nothing', async () => {
    expect(await plan('Polnisch A1\n\nWoche 1: Gesundheit\nbeim Arzt\nWoche 2: Essen\nim Restaurant')).toEqual([]);
  });
});
