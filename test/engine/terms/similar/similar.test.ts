import { describe, expect, it } from 'vitest';
import type { Concept, MatchStage } from '../../../../src/engine/terms/types.ts';
import { createTermIndex } from '../create-term-index.ts';
import { sampleConcepts } from '../sample-taxonomy.ts';

const index = createTermIndex(sampleConcepts);

function similar(keywords: string, options: { lang?: string; source?: string; max?: number } = {}) {
  return index.similar({ lang: 'en', max: 20, ...options, keywords });
}
const labels = (keywords: string, options = {}) => similar(keywords, options).map(({ label }) => label);
const firstMatch = (keywords: string, options = {}) => similar(keywords, options)[0];

describe('similar finds', () => {
  it.each<[string, string, MatchStage]>([
    ['Project Management', 'project management', 'exact'],
    ['project managements', 'project management', 'stem'],
    ['negotaition', 'negotiation', 'typo'],
    ['intelligence that is artificial', 'artificial intelligence', 'partial'],
    ['photographically', 'photography', 'ngram'],
    ['C++', 'C++', 'exact'],
  ])('%s: %s by %s', (keywords, label, match) => {
    expect(firstMatch(keywords)).toMatchObject({ label, match });
  });

  it('a label without what stands in its parentheses', () => {
    expect(firstMatch('java')).toMatchObject({ label: 'Java (computer programming)', match: 'exact' });
  });

  it('one of the two forms of a French occupation', () => {
    expect(firstMatch('boulangère', { lang: 'fr', source: 'ISCO-08' })).toMatchObject({
      conceptId: 'baker',
      match: 'exact',
    });
  });

  it('labels of another language than the one asked for, and answers in that one', () => {
    expect(firstMatch('apprentissage automatique')).toMatchObject({
      label: 'machine learning',
      match: 'exact',
    });
    expect(firstMatch('machine learning', { lang: 'fr' })).toMatchObject({
      label: 'apprentissage automatique',
    });
  });

  it('a form of the word that no stem joins, and the parts of a compound', () => {
    const occupation = (id: string, label: string, lang: string): Concept => ({
      id,
      source: 'S',
      kind: 'occupation',
      labels: { [lang]: label },
      altLabels: {},
    });
    const taxonomy = createTermIndex([
      occupation('a', 'opticien-lunetier', 'fr'),
      occupation('b', 'Softwareentwickler', 'de'),
      occupation('c', 'chef de cuisine', 'fr'),
    ]);
    expect(taxonomy.similar({ keywords: 'opticienne lunetière', lang: 'fr', max: 3 })[0]?.conceptId).toBe(
      'a',
    );
    expect(taxonomy.similar({ keywords: 'Entwickler Software', lang: 'de', max: 3 })[0]?.conceptId).toBe('b');
    expect(taxonomy.similar({ keywords: 'Chef / Cheffe de cuisine', lang: 'fr', max: 3 })[0]).toMatchObject({
      conceptId: 'c',
      match: 'exact',
    });
  });

  it('what a strong match of another taxonomy is linked to, when only one is asked for', () => {
    const linked = createTermIndex([
      {
        id: 'x',
        source: 'A',
        kind: 'skill',
        labels: { en: 'joinery' },
        altLabels: {},
        links: { sameAs: ['y'] },
      },
      { id: 'y', source: 'B', kind: 'skill', labels: { en: 'woodwork' }, altLabels: {} },
    ]);
    expect(linked.similar({ keywords: 'joinery', lang: 'en', source: 'B', max: 5 })).toMatchObject([
      { label: 'woodwork', source: 'B', match: 'related' },
    ]);
  });

  it('an accent or not, a ligature or not', () => {
    expect(firstMatch('METHODES agiles', { lang: 'fr' })).toMatchObject({
      label: 'méthodes agiles',
      match: 'exact',
    });
  });

  it('the neighbours of a strong match, in all directions of a link', () => {
    const related = (keywords: string) =>
      similar(keywords)
        .filter(({ match }) => match === 'related')
        .map(({ conceptId }) => conceptId);
    expect(related('project management')).toEqual(expect.arrayContaining(['planning', 'agile']));
    expect(related('agile methods')).toContain('pm');
    expect(related('machine learning')).toContain('ai');
    expect(related('artificial intelligence')).toContain('ml');
    expect(related('welding')).toContain('welder');
  });

  it('nothing for no words, function words of no label, and nonsense', () => {
    expect(similar('')).toEqual([]);
    expect(similar('?!')).toEqual([]);
    expect(similar('zzzzqx wvvvk')).toEqual([]);
  });
});

describe('similar orders', () => {
  it('the same concept by how it was found', () => {
    const scoreOf = (keywords: string) =>
      similar(keywords).find(({ conceptId }) => conceptId === 'negotiation')?.score ?? 0;
    const byStage = ['negotiation', 'negotiations', 'negotaition', 'renegotiating'].map(scoreOf);
    expect(byStage.every((score) => score > 0)).toBe(true);
    expect(byStage).toEqual([...byStage].sort((a, b) => b - a));
    expect(new Set(byStage).size).toBe(4);
  });

  it('exact before stemmed before partial', () => {
    const found = similar('manage budgets', { source: 'ESCO' });
    expect(found[0]).toMatchObject({ conceptId: 'esco-budget', score: 1 });
    expect(found.slice(1).every(({ score, match }) => score < 1 && match !== 'exact')).toBe(true);
  });

  it('the own taxonomy and its synonyms before the others', () => {
    const found = similar('project management');
    const sources = found.map(({ source }) => source);
    const firstOther = sources.findIndex((source) => !source.startsWith('Skilldock'));
    expect(found[0]).toMatchObject({ label: 'project management', source: 'Skilldock' });
    expect(firstOther).toBeGreaterThan(0);
    expect(sources.slice(firstOther).some((source) => source.startsWith('Skilldock'))).toBe(false);
  });

  it('another own taxonomy first when it is named so', () => {
    const other = createTermIndex(sampleConcepts, { ownSource: 'ESCO' });
    expect(other.similar({ keywords: 'project management', lang: 'en', max: 5 })[0]).toMatchObject({
      source: 'ESCO',
    });
  });

  it('own terms half of the places when the others fill theirs', () => {
    const crowd: Concept[] = Array.from({ length: 400 }, (_, i) => ({
      id: `c${i}`,
      source: i < 20 ? 'Skilldock' : 'Other',
      kind: 'skill',
      labels: { en: i < 40 ? `pottery course ${i}` : `other thing ${i}` },
      altLabels: {},
    }));
    const found = createTermIndex(crowd).similar({ keywords: 'pottery course', lang: 'en', max: 10 });
    expect(found.map(({ source }) => source)).toEqual([
      ...Array(5).fill('Skilldock'),
      ...Array(5).fill('Other'),
    ]);
  });
});

describe('similar gives', () => {
  it('synonyms of own concepts under their own source', () => {
    const synonyms = similar('JavaScript').filter(({ source }) => source === 'Skilldock synonyms');
    expect(synonyms.map(({ label }) => label)).toEqual(['JS', 'ECMAScript']);
    expect(labels('project management')).toContain('managing projects');
  });

  it('of two that match alike by letters the one whose texts go with the words', () => {
    const skill = (id: string, label: string, alternatives: string[]): Concept => ({
      id,
      source: 'S',
      kind: 'skill',
      labels: { en: label },
      altLabels: { en: alternatives },
    });
    const many = Array.from({ length: 60 }, (_, i) =>
      skill(`f${i}`, `topic ${i} filler`, [`word${i} filler`]),
    );
    const taxonomy = createTermIndex([
      ...many,
      skill('river', 'keeper one', ['water warden']),
      skill('vault', 'keeper two', ['money warden']),
      skill('w', 'stream care', ['water care', 'stream and water']),
      skill('m', 'cash care', ['money care', 'cash and money']),
    ]);
    const keepers = (keywords: string) =>
      taxonomy
        .similar({ keywords, lang: 'en', max: 9 })
        .map(({ conceptId }) => conceptId)
        .filter((id) => id === 'river' || id === 'vault');
    expect(keepers('keeper stream')).toEqual(['river', 'vault']);
    expect(keepers('keeper cash')).toEqual(['vault', 'river']);
  });

  it('only the source asked for', () => {
    expect(similar('project management', { source: 'ESCO' }).map(({ source }) => source)).toContain('ESCO');
    expect(new Set(similar('project management', { source: 'ESCO' }).map(({ source }) => source)).size).toBe(
      1,
    );
    expect(labels('JavaScript', { source: 'Skilldock synonyms' })).toEqual(['JS', 'ECMAScript']);
    expect(similar('project management', { source: 'Nowhere' })).toEqual([]);
  });

  it('at most what was asked for', () => {
    expect(similar('project management').length).toBeGreaterThan(3);
    expect(similar('project management', { max: 3 })).toHaveLength(3);
  });

  it('one term for one label of one source', () => {
    const twins = ['a', 'b'].map(
      (id): Concept => ({ id, source: 'S', kind: 'skill', labels: { en: 'Yoga' }, altLabels: {} }),
    );
    expect(createTermIndex(twins).similar({ keywords: 'yoga', lang: 'en', max: 9 })).toHaveLength(1);
  });

  it('an English label where the language has none, and any where English has none', () => {
    expect(firstMatch('database administration', { lang: 'fr' })).toMatchObject({ label: 'manage database' });
    const german = createTermIndex([
      { id: 'd', source: 'S', kind: 'skill', labels: { de: 'Schweißen' }, altLabels: {} },
    ]);
    expect(german.similar({ keywords: 'schweissen', lang: 'en', max: 1 })[0]).toMatchObject({
      label: 'Schweißen',
    });
  });
});
