import { describe, expect, test } from 'vitest';
import { starterTerms } from '../starter-terms.ts';

const listLabels = (keywords: string, lang: string) =>
  starterTerms.suggest({ keywords, lang, max: 10 }).suggestions.map(({ label }) => label);

describe('on a page in French', () => {
  test.each([
    ['dévelop', 'Développer'],
    ['develop', 'Développer'],
    ['DÉVELOP', 'Développer'],
    ['électri', 'électricien'],
    ['electri', 'électricien'],
    ['RH', 'ressources humaines'],
    ['rh', 'ressources humaines'],
    ['TVA', 'taxe sur la valeur ajoutée'],
    ['compta', 'comptabilité'],
    ['infirm', 'infirmière'],
    ['market', 'marketing'],
  ])('%s is continued by %s', (typed, label) => {
    expect(listLabels(typed, 'fr').slice(0, 2)).toContain(label);
  });

  test('English labels come after French ones, and alone where there are no others', () => {
    const labels = listLabels('excel', 'fr');
    expect(labels.indexOf('Excel macros')).toBeGreaterThan(labels.indexOf('utiliser un tableur'));
    expect(listLabels('time man', 'fr')[0]).toBe('time management');
  });
});

test.each([
  ['dévelop', 'developer'],
  ['électri', 'electrician'],
  ['HR', 'human resources'],
  ['time man', 'time management'],
])('on a page in English, %s is continued by %s', (typed, label) => {
  expect(listLabels(typed, 'en').slice(0, 2)).toContain(label);
});

test('a language without labels changes nothing', () => {
  const { suggestions } = starterTerms.suggest({ keywords: 'develop', max: 10 });
  expect(listLabels('develop', 'xx')).toEqual(suggestions.map(({ label }) => label));
});

test('an occupation in the singular and the plural is suggested once', () => {
  const labels = listLabels('électricien', 'fr');
  expect(labels.filter((label) => /^électriciens?$/i.test(label))).toHaveLength(1);
});
