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

describe('similar returns', () => {
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

  it('a label by its text without a parenthesis', () => {
    expect(firstMatch('java')).toMatchObject({ label: 'Java (computer programming)', match: 'exact' });
  });

  it('an occupation by one of its two French forms', () => {
    expect(firstMatch('boulangère', { lang: 'fr', source: 'ISCO-08' })).toMatchObject({
      conceptId: 'baker',
      match: 'exact',
    });
  });

  it('concepts by labels of another language, in the requested language', () => {
    expect(firstMatch('apprentissage automatique')).toMatchObject({
      label: 'machine learning',
      match: 'exact',
    });
    expect(firstMatch('machine learning', { lang: 'fr' })).toMatchObject({
      label: 'apprentissage automatique',
    });
  });

  it('concepts by related forms without a common stem, and by parts of a compound', () => {
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
    expect(taxonomy.similar({ keywords: 'opticienne lunetière', lang: 'fr', max: 3 })[0]?.conceptId).toBe('a');
    expect(taxonomy.similar({ keywords: 'Entwickler Software', lang: 'de', max: 3 })[0]?.conceptId).toBe('b');
    expect(taxonomy.similar({ keywords: 'Chef / Cheffe de cuisine', lang: 'fr', max: 3 })[0]).toMatchObject({
      conceptId: 'c',
      match: 'exact',
    });
  });

  it('concepts linked to a strong match of another taxonomy', () => {
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

  it('concepts with and without accents and ligatures', () => {
    expect(firstMatch('METHODES agiles', { lang: 'fr' })).toMatchObject({
      label: 'méthodes agiles',
      match: 'exact',
    });
  });

  it('the neighbours of a strong match, in both directions of a link', () => {
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

  it('nothing for empty texts, function words and nonsense', () => {
    expect(similar('')).toEqual([]);
    expect(similar('?!')).toEqual([]);
    expect(similar('zzzzqx wvvvk')).toEqual([]);
    expect(similar('welding')).not.toEqual([]);
  });
});

describe('similar ranks', () => {
  it('matches by their stage', () => {
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

  it('the main taxonomy and its synonyms before the others', () => {
    const found = similar('project management');
    const sources = found.map(({ source }) => source);
    const firstOther = sources.findIndex((source) => !source.startsWith('Skilldock'));
    expect(found[0]).toMatchObject({ label: 'project management', source: 'Skilldock' });
    expect(firstOther).toBeGreaterThan(0);
    expect(sources.slice(firstOther).some((source) => source.startsWith('Skilldock'))).toBe(false);
  });

  it('another main taxonomy first if it is configured', () => {
    const other = createTermIndex(sampleConcepts, { mainSource: 'ESCO' });
    expect(other.similar({ keywords: 'project management', lang: 'en', max: 5 })[0]).toMatchObject({
      source: 'ESCO',
    });
  });

  it('main terms on half of the places if others fill theirs', () => {
    const crowd: Concept[] = Array.from({ length: 400 }, (_, i) => ({
      id: `c${i}`,
      source: i < 20 ? 'Skilldock' : 'Other',
      kind: 'skill',
      labels: { en: i < 40 ? `pottery course ${i}` : `other thing ${i}` },
      altLabels: {},
    }));
    const found = createTermIndex(crowd).similar({ keywords: 'pottery course', lang: 'en', max: 10 });
    expect(found.map(({ source }) => source)).toEqual([...Array(5).fill('Skilldock'), ...Array(5).fill('Other')]);
  });
});

describe('similar includes', () => {
  it('synonyms of main concepts under their source', () => {
    const synonyms = similar('JavaScript').filter(({ source }) => source === 'Skilldock synonyms');
    expect(synonyms.map(({ label }) => label)).toEqual(['JS', 'ECMAScript']);
    expect(labels('project management')).toContain('managing projects');
  });

  it('of two equal matches the one whose descriptions fit the words', () => {
    const skill = (id: string, label: string, alternatives: string[]): Concept => ({
      id,
      source: 'S',
      kind: 'skill',
      labels: { en: label },
      altLabels: { en: alternatives },
    });
    const many = Array.from({ length: 60 }, (_, i) => skill(`f${i}`, `topic ${i} filler`, [`word${i} filler`]));
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

  it('only the requested source', () => {
    expect(similar('project management', { source: 'ESCO' }).map(({ source }) => source)).toContain('ESCO');
    expect(new Set(similar('project management', { source: 'ESCO' }).map(({ source }) => source)).size).toBe(1);
    expect(labels('JavaScript', { source: 'Skilldock synonyms' })).toEqual(['JS', 'ECMAScript']);
    expect(similar('project management', { source: 'Nowhere' })).toEqual([]);
  });

  it('at most the requested number', () => {
    expect(similar('project management').length).toBeGreaterThan(3);
    expect(similar('project management', { max: 3 })).toHaveLength(3);
  });

  it('each label of a source once', () => {
    const twins = ['a', 'b'].map(
      (id): Concept => ({ id, source: 'S', kind: 'skill', labels: { en: 'Yoga' }, altLabels: {} }),
    );
    expect(createTermIndex(twins).similar({ keywords: 'yoga', lang: 'en', max: 9 })).toHaveLength(1);
  });

  it('an English label if the language has none, else any', () => {
    expect(firstMatch('database administration', { lang: 'fr' })).toMatchObject({ label: 'manage database' });
    const german = createTermIndex([
      { id: 'd', source: 'S', kind: 'skill', labels: { de: 'Schweißen' }, altLabels: {} },
    ]);
    expect(german.similar({ keywords: 'schweissen', lang: 'en', max: 1 })[0]).toMatchObject({
      label: 'Schweißen',
    });
  });
});
