import { describe, expect, test } from 'vitest';
import { starterTerms } from '../starter-terms.ts';

const tagsOf = (text: string, lang: string) => starterTerms.tag({ text, lang, max: 10 }).tags.map(({ label }) => label);

describe('lists of bare names are tags', () => {
  test.each([
    ['python and docker', 'en', ['Docker', 'Python']],
    ['php et mysql', 'fr', ['MySQL', 'PHP']],
    ['fractions and percentages', 'en', ['fractions', 'percentages']],
    ['Skills: SQL, R and Python', 'en', ['SQL', 'R (programming language)', 'Python']],
  ])('%s', (text, lang, labels) => {
    expect(tagsOf(text, lang).toSorted()).toEqual(labels.toSorted());
  });
});

describe('names of people, rooms and places are none', () => {
  test.each([
    ['Dr. R. Okafor is off sick', 'en'],
    ['Prof. C. Smith has moved', 'en'],
    ['Anna and Julia are bringing the cake on Friday', 'en'],
    ['See you in room R 12', 'en'],
    ['The C key on my keyboard is stuck', 'en'],
    ['Rendez-vous au bureau C-204', 'fr'],
    ["L'assistante de M. C. Petit m'a rappelé", 'fr'],
  ])('%s', (text, lang) => {
    expect(tagsOf(text, lang)).toEqual([]);
  });

  test.each([
    ['We teach R. Students like it.', 'R (programming language)'],
    ['Wanted: experience with C', 'C (programming language)'],
    ['R', 'R (programming language)'],
    ['I want to learn Julia', 'Julia (programming language)'],
  ])('but the skill is one in "%s"', (text, label) => {
    expect(tagsOf(text, 'en')).toContain(label);
  });
});

describe('what a label says must be in the text', () => {
  test('the short form of a skill is not enough, as costs are not only those of construction', () => {
    expect(tagsOf('Week 4: cost estimation', 'en')).not.toContain('estimate construction costs');
    expect(tagsOf('Week 4: cost estimation in construction', 'en')).toContain('estimate construction costs');
  });

  test('its verb may be missing where the text asks for it', () => {
    expect(tagsOf('Our technicians need training on heat pumps', 'en')).toContain('install heat pumps');
    expect(tagsOf('The heat pumps hum all night', 'en')).toEqual([]);
  });

  test('a group that is named by a verb is no subject', () => {
    expect(tagsOf('apprendre à gérer', 'fr')).toEqual([]);
  });
});

describe('people ask in many ways', () => {
  test.each([
    ['Can someone explain how pivot tables work in Excel?', 'en', 'pivot tables'],
    ['I want to manage my time better', 'en', 'time management'],
    ['My daughter struggles with long division and fractions', 'en', 'fractions'],
    ['How do I plan a sprint with a team that is new to agile?', 'en', 'agile methods'],
    ['Spanish for hotel staff (A2)', 'en', 'Spanish'],
    ['Il faudrait améliorer mon anglais', 'fr', 'anglais'],
  ])('%s', (text, lang, label) => {
    expect(tagsOf(text, lang)).toContain(label);
  });
});
