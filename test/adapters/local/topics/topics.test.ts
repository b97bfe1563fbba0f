import { describe, expect, test } from 'vitest';
import { type ConceptRecord, conceptRecord } from '../../../../src/adapters/catalog/catalog-schema.ts';
import { createTopics } from '../../../../src/adapters/local/topics/topics.ts';

const concept = (id: string, labels: Record<string, string>, more: object = {}): ConceptRecord =>
  conceptRecord.parse({ id: `own:${id}`, source: 'Skilldock', kind: 'skill', labels, ...more });
const below = (id: string) => ({ links: { broader: [`own:${id}`] } });

const concepts = [
  concept('computing', { en: 'computing', fr: 'informatique' }, { kind: 'domain' }),
  concept('python', { en: 'Python', fr: 'Python' }, below('computing')),
  concept('graphics', { en: 'computer graphics' }, { ...below('computing'), altLabels: { en: ['rendering'] } }),
  concept('management', { en: 'management', fr: 'gestion' }, { kind: 'domain' }),
  concept('projects', { en: 'project management', fr: 'gestion de projet' }, below('management')),
  concept('manager', { en: 'site foreman', fr: 'chef de chantier' }, { kind: 'occupation', ...below('management') }),
  concept('coding', { en: 'coding' }, below('computing')),
  concept('testing', { en: 'software testing' }, below('coding')),
  concept('building', { en: 'construction', fr: 'construction' }, { kind: 'domain' }),
  concept('plastering', { en: 'plastering' }, { ...below('building'), altLabels: { en: ['rendering'] } }),
  concept('circle', { en: 'circle' }, below('round')),
  concept('round', { en: 'round' }, below('circle')),
];

const field = (id: string, ...names: readonly string[]) => ({
  id,
  labels: { en: id },
  concepts: names.map((name) => `own:${name}`),
});
const { list, find } = createTopics(concepts, [
  field('04'),
  field('041', 'management'),
  field('06'),
  field('0613', 'computing'),
  field('07'),
  field('073', 'building'),
  field('99'),
]);

const about = (
  title: string,
  keywords: readonly string[] = [],
  { lang = 'en', description = '' }: { readonly lang?: string; readonly description?: string } = {},
) => find({ title, keywords: [...keywords], lang, description }).topics;

describe('the topics', () => {
  test('are fields and skills, each within its fields', () => {
    expect(list).toContainEqual({ id: '0613', kind: 'field', labels: { en: '0613' }, within: ['06'] });
    expect(list.find(({ id }) => id === 'own:python')).toMatchObject({ kind: 'skill', within: ['0613'] });
    expect(list.find(({ id }) => id === 'own:circle')).toMatchObject({ within: [] });
  });

  test('have no occupations', () => {
    const ids = list.map(({ id }) => id);
    expect(ids).toContain('own:python');
    expect(ids).not.toContain('own:manager');
  });
});

describe('an object is under', () => {
  test('the topic in its title', () => {
    expect(about('Project management in a day')).toEqual(['04', '041', 'own:projects']);
    expect(about('Gestion des projets', [], { lang: 'fr' })).toEqual(['04', '041', 'own:projects']);
  });

  test('the topic that a keyword is', () => {
    expect(about('Snakes', ['python'])).toEqual(['06', '0613', 'own:python']);
  });

  test('broader topics, up to the concepts of a field', () => {
    expect(about('Software testing')).toEqual(['06', '0613', 'own:testing']);
    const { widerTopics } = find({ title: 'Software testing', keywords: [], description: '', lang: 'en' });
    expect(widerTopics).toEqual(['own:coding']);
  });

  test('the field of an occupation', () => {
    expect(about('A day with a site foreman')).toEqual(['04', '041']);
  });

  test('a name in its title, in any language', () => {
    expect(about('Programmieren mit Python', [], { lang: 'de' })).toEqual(['06', '0613', 'own:python']);
    expect(about('Management für alle', [], { lang: 'de' })).toEqual(['99']);
  });

  test('a word in its title that another text confirms', () => {
    const description = 'For everybody who has to do with construction.';
    expect(about('Construction', [], { description })).toEqual(['07', '073', 'own:building']);
    expect(about('Construction', ['construction'])).toEqual(['07', '073', 'own:building']);
  });

  test('two fields with similar evidence', () => {
    expect(about('Project management', ['python'])).toEqual(['04', '041', '06', '0613', 'own:projects', 'own:python']);
  });
});

describe('an object is not under', () => {
  test('an ambiguous word in its title beside another topic', () => {
    expect(about('Python and the construction of films', ['python'])).toEqual(['06', '0613', 'own:python']);
    expect(about('The construction of films')).toEqual(['99']);
    expect(about('Films', ['construction'])).toEqual(['99']);
  });

  test('an ambiguous word within a keyword', () => {
    expect(about('Films', ['under construction'])).toEqual(['99']);
  });

  test('a topic that only its description mentions', () => {
    expect(about('Miscellany', [], { description: 'Project management, coding and construction.' })).toEqual(['99']);
  });

  test('the topic of another word with the same stem', () => {
    const sounds = 'Rounds of constructive talks';
    expect(about('Give constructive feedback', ['constructive'], { description: sounds })).toEqual(['99']);
    expect(about('Pythons', ['snakes'])).toEqual(['99']);
  });

  test('a second field with evidence from bywords alone', () => {
    expect(about('Project management', ['rendering'])).toEqual(['04', '041', 'own:projects']);
  });

  test('the topic of a byword alone', () => {
    expect(about('Sketching', ['rendering'])).toEqual(['99']);
    expect(about('Rendering', ['rendering', 'computer graphics'])).toContain('own:graphics');
  });

  test('any topic without concepts, nor any field without fields', () => {
    expect(about('Miscellany')).toEqual(['99']);
    expect(createTopics(concepts, []).find({ title: 'Coding', keywords: [], description: '', lang: 'en' })).toEqual({
      topics: ['own:coding'],
      widerTopics: ['own:computing'],
    });
  });
});
