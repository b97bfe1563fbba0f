import { describe, expect, it } from 'vitest';
import type { Concept } from '../../../src/engine/terms/types.ts';
import { createTermIndex } from './create-term-index.ts';
import { sampleConcepts } from './sample-taxonomy.ts';

const index = createTermIndex(sampleConcepts);

const en = (...words: string[]) => ({ words, lang: 'en' });
const fr = (...words: string[]) => ({ words, lang: 'fr' });

describe('expansionsOf', () => {
  it('returns the other labels of all languages, without function words', () => {
    const [expansion] = index.expansionsOf(['project', 'management'], 'en');
    expect(expansion).toMatchObject({ start: 0, end: 2 });
    expect(expansion?.synonyms).toEqual(
      expect.arrayContaining([fr('gestion', 'projet'), en('managing', 'projects'), en('pm'), fr('conduite', 'projet')]),
    );
    expect(expansion?.synonyms).not.toContainEqual(en('project', 'management'));
  });

  it('returns related and narrower concepts separately from synonyms', () => {
    const [expansion] = index.expansionsOf(['project', 'management'], 'en');
    expect(expansion?.related).toEqual(expect.arrayContaining([en('work', 'planning'), en('agile', 'methods')]));
    expect(expansion?.synonyms).not.toContainEqual(en('agile', 'methods'));
  });

  it('does not return broader concepts', () => {
    expect(index.expansionsOf(['machine', 'learning'], 'en')[0]?.related).toEqual([]);
    const [broader] = index.expansionsOf(['artificial', 'intelligence'], 'en');
    expect(broader?.related).toContainEqual(en('machine', 'learning'));
  });

  it('finds the longest spans by their stems', () => {
    const spans = index.expansionsOf(['cheap', 'machines', 'learning', 'welding'], 'en');
    expect(spans.map(({ start, end }) => [start, end])).toEqual([
      [1, 3],
      [3, 4],
    ]);
  });

  it('finds labels of the language, or of any without one', () => {
    expect(index.expansionsOf(['soudage'])[0]?.synonyms).toContainEqual(en('welding'));
    expect(index.expansionsOf(['soudage'], 'fr')[0]?.synonyms).toContainEqual(en('welding'));
    expect(index.expansionsOf(['soudage'], 'en')).toEqual([]);
  });

  it('returns nothing for words of no label', () => {
    expect(index.expansionsOf(['zebra', 'crossing'], 'en')).toEqual([]);
    expect(index.expansionsOf([], 'en')).toEqual([]);
    expect(index.expansionsOf(['zebra', 'welding'], 'en')).toMatchObject([{ start: 1, end: 2 }]);
  });

  it('returns at most eight phrases of each kind', () => {
    const names = Array.from({ length: 20 }, (_, i) => `name${i}`);
    const many: Concept[] = [
      {
        id: 'x',
        source: 'S',
        kind: 'skill',
        labels: { en: 'thing' },
        altLabels: { en: names },
        links: { related: names },
      },
      ...names.map((id): Concept => ({ id, source: 'S', kind: 'skill', labels: { en: `other ${id}` }, altLabels: {} })),
    ];
    const [expansion] = createTermIndex(many).expansionsOf(['thing'], 'en');
    expect(expansion?.synonyms).toHaveLength(8);
    expect(expansion?.related).toHaveLength(8);
  });

  it('distinguishes equal spellings of two languages, also from the cache', () => {
    const { expansionsOf } = createTermIndex([
      { id: 'a', source: 'S', kind: 'skill', labels: { en: 'pain' }, altLabels: { en: ['ache'] } },
      { id: 'b', source: 'S', kind: 'skill', labels: { fr: 'pain' }, altLabels: { fr: ['baguette'] } },
    ]);
    const synonyms = (lang?: string) => expansionsOf(['pain'], lang).flatMap((span) => span.synonyms);
    for (let turn = 0; turn < 2; turn++) {
      expect(synonyms('en')).toEqual([en('ache')]);
      expect(synonyms('fr')).toEqual([fr('baguette')]);
      expect(synonyms()).toEqual([en('ache'), fr('baguette')]);
    }
  });

  it('treats concepts with the words as an alternative label as related', () => {
    const physics: Concept = {
      id: 'a',
      source: 'S',
      kind: 'skill',
      labels: { en: 'physics' },
      altLabels: { fr: ['astronomie'], en: ['natural philosophy'] },
    };
    const astronomy: Concept = {
      id: 'b',
      source: 'S',
      kind: 'skill',
      labels: { en: 'astronomy', fr: 'astronomie' },
      altLabels: {},
    };
    expect(createTermIndex([physics, astronomy]).expansionsOf(['astronomie'])).toMatchObject([
      { synonyms: [en('astronomy')], related: [en('physics')] },
    ]);
    expect(createTermIndex([physics]).expansionsOf(['astronomie'])).toMatchObject([
      { synonyms: [en('physics'), en('natural', 'philosophy')], related: [] },
    ]);
  });
});
