import { describe, expect, test } from 'vitest';
import type { QueryFilter } from '../../../src/domain/learning-object-query.ts';
import { toResultGroups } from '../../../src/faces/search-view/result-groups.ts';
import { readSearchForm } from '../../../src/faces/search-view/search-form.ts';
import { type Locale, readLanguages } from '../../../src/faces/words/i18n.ts';
import type { LearningObjectHit } from '../../../src/services/searching/discovery/results.ts';
import { bareObject } from '../../fakes/learning-service.ts';

const form = readSearchForm(
  new URLSearchParams(
    'q=x&type=podcast&bloom=Apply&level=beginner&length=hour&price=free&lang=fr&provider=a&address=Lyon&distance=50',
  ),
);
const languages = readLanguages();
const item = { object: bareObject } as LearningObjectHit;

async function linesOf(filter: QueryFilter, isCertain: boolean, locale: Locale, changed = form) {
  const almost = [{ filter, isCertain, items: [item] }];
  const words = { t: languages.translatorOf(locale), locale, form: changed };
  return (await toResultGroups({ items: [], almost }, (items) => items, words)).map(({ line }) => line);
}

describe('what almost fits stands below a line that names what does not', () => {
  test.each<[QueryFilter, string, string]>([
    ['type', 'Does not match: not a podcast', 'Ne correspond pas : pas un podcast'],
    ['level', 'Does not match: not for beginners', 'Ne correspond pas : pas pour débuter'],
    ['learningTime', 'Does not match: longer than 1 hour', 'Ne correspond pas : plus d’une heure'],
    ['free', 'Does not match: not free', 'Ne correspond pas : pas gratuit'],
    ['lang', 'Does not match: not in French', 'Ne correspond pas : pas en français'],
    ['provider', 'Does not match: from another provider', 'Ne correspond pas : d’un autre fournisseur'],
    ['bloom', 'Does not match: not for the objective “Apply”', 'Ne correspond pas : pas pour l’objectif « Appliquer »'],
    ['distance', 'Does not match: farther than 50 km from Lyon', 'Ne correspond pas : à plus de 50 km de Lyon'],
  ])('%s', async (filter, english, french) => {
    expect(await linesOf(filter, true, 'en')).toEqual([english]);
    expect((await linesOf(filter, true, 'fr'))[0]?.replaceAll(/[\u00a0\u202f]/g, ' ')).toBe(french);
  });

  test.each<[QueryFilter, string]>([
    ['type', 'Does not match: type unknown'],
    ['learningTime', 'Does not match: length unknown'],
    ['free', 'Does not match: price unknown'],
  ])('%s, where objects do not say it', async (filter, line) => {
    expect(await linesOf(filter, false, 'en')).toEqual([line]);
  });

  test('a type that only the service knows', async () => {
    const other = { ...form, type: ['webinar'] };
    expect(await linesOf('type', true, 'en', other)).toEqual(['Does not match: not of the type “Webinar”']);
  });

  test('after what only mentions the words, or fits in another language, each below its line', async () => {
    const words = { t: languages.translatorOf('en'), locale: 'en', form };
    const [other, close] = [{ ...item, tier: 'other-language' } as const, { ...item, tier: 'close' } as const];
    const groupsOf = async (items: readonly LearningObjectHit[], page = 0) => {
      const shown = { ...words, form: { ...form, page } };
      const groups = await toResultGroups({ items, almost: [] }, (found) => found, shown);
      return groups.map((group) => [group.line, group.items.length]);
    };
    // In whatever order a service has them.
    expect(await groupsOf([item, close, other, item, close])).toEqual([
      [null, 2],
      ['In other languages', 1],
      ['Close matches', 2],
    ]);
    expect(await groupsOf([other])).toEqual([['In other languages', 1]]);
    // The heading of the page says that nothing fits.
    expect(await groupsOf([close, close])).toEqual([[null, 2]]);
    expect(await groupsOf([close], 1)).toEqual([['Close matches', 1]]);
  });

  test('after what fits, which needs no line', async () => {
    const words = { t: languages.translatorOf('en'), locale: 'en', form };
    const almost = [{ filter: 'free', isCertain: true, items: [item] }] as const;
    const groups = await toResultGroups({ items: [item, item], almost }, (items) => items, words);
    expect(groups.map(({ line }) => line)).toEqual([null, 'Does not match: not free']);
  });
});
