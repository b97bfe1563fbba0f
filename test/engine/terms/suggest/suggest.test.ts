import { describe, expect, it } from 'vitest';
import { createTermIndex } from '../create-term-index.ts';
import { sampleConcepts } from '../sample-taxonomy.ts';

const index = createTermIndex(sampleConcepts, {
  phrases: [
    { text: 'Piano for beginners', lang: 'en', weight: 1 },
    { text: 'Piano tuning', lang: 'en', weight: 0.1 },
    { text: 'Le piano en 10 leçons', lang: 'fr', weight: 0.5 },
  ],
});
const suggest = (keywords: string, max = 10) => index.suggest({ keywords, max });
const labels = (keywords: string, max = 10) => suggest(keywords, max).suggestions.map(({ label }) => label);

describe('suggest completes', () => {
  it.each([
    ['mach', 'machine learning'],
    ['machine l', 'machine learning'],
    ['Machine  LEARN', 'machine learning'],
    ['gestion de p', 'gestion de projet'],
    ['gestion d', 'gestion de projet'],
    ['soudure à l', 'soudure à l’arc'],
    ['methodes', 'méthodes agiles'],
    ['pian', 'Piano for beginners'],
    ['c+', 'C++'],
  ])('%s to %s', (keywords, label) => {
    expect(labels(keywords)).toContain(label);
    expect(suggest(keywords).quality).toBe('exact');
  });

  it('a later word of a label, after labels that begin with the text', () => {
    const found = labels('lear');
    expect(found).toContain('machine learning');
    expect(labels('man').indexOf('managing projects')).toBeLessThan(labels('man').indexOf('project management'));
  });

  it('the more wanted phrase first', () => {
    expect(labels('piano').indexOf('Piano for beginners')).toBeLessThan(labels('piano').indexOf('Piano tuning'));
  });

  it('a completely typed label with the full score', () => {
    expect(suggest('machine learning').suggestions[0]).toMatchObject({ label: 'machine learning', score: 1 });
  });

  it('an elided article at the end', () => {
    expect(labels("soudure à l'")).toContain('soudure à l’arc');
  });
});

describe('suggest understands', () => {
  it.each([
    ['machne learning', 'machine learning', ['machine', 'learning']],
    ['mahcine le', 'machine learning', ['machine', 'le']],
    ['negotaition', 'negotiation', ['negotiation']],
    ['phtogr', 'photography', ['photogr']],
    ['gestoin de projet', 'gestion de projet', ['gestion', 'projet']],
    ['gestion d eprojet', 'gestion de projet', ['gestion', 'projet']],
    ['machin elearning', 'machine learning', ['machine', 'learning']],
    ['projectmanagement', 'project management', ['projectmanagement']],
  ])('the typo in %s', (keywords, label, words) => {
    const answer = suggest(keywords);
    expect(answer.suggestions.map((suggestion) => suggestion.label)).toContain(label);
    expect(answer.quality).toBe('loose');
    expect(answer.keywordsTransformed).toEqual(words.filter((word) => word !== 'le'));
  });

  it('similar words, but not in a long text', () => {
    const withFillers = (count: number) => labels(`negotiating ${'of '.repeat(count)}`);
    expect(withFillers(7)).toContain('negotiation');
    expect(withFillers(8)).toEqual([]);
  });

  it('some of the words, in another order', () => {
    const answer = suggest('learning of the machine');
    expect(answer.suggestions.map(({ label }) => label)).toContain('machine learning');
    expect(answer.quality).toBe('loose');
    expect(answer.keywordsTransformed).toEqual(['learning', 'machine']);
  });
});

describe('suggest stays in the language of the words', () => {
  it('even if labels of another have some of them', () => {
    const mixed = createTermIndex([
      { id: 'a', source: 'S', kind: 'skill', labels: { en: 'open data portal' }, altLabels: {} },
      { id: 'b', source: 'S', kind: 'skill', labels: { en: 'use of an open data portal' }, altLabels: {} },
      { id: 'c', source: 'S', kind: 'skill', labels: { fr: 'data portal' }, altLabels: {} },
      ...['mind', 'fire', 'sea', 'door', 'air', 'field'].map((word) => ({
        id: word,
        source: 'S',
        kind: 'skill' as const,
        labels: { en: `open ${word}` },
        altLabels: {},
      })),
    ]);
    const found = mixed.suggest({ keywords: 'open data portal', max: 9 }).suggestions.map(({ label }) => label);
    expect(found).toContain('use of an open data portal');
    expect(found).not.toContain('data portal');
    expect(mixed.suggest({ keywords: 'portal', max: 9 }).suggestions).toContainEqual(
      expect.objectContaining({ label: 'data portal' }),
    );
  });
});

describe('suggest returns', () => {
  it('related terms after the completions of a full match', () => {
    const found = labels('project management');
    expect(found[0]).toBe('project management');
    expect(found).toEqual(expect.arrayContaining(['work planning', 'agile methods']));
  });

  it('related terms in the language of the query', () => {
    expect(labels('gestion de projet')).toEqual(expect.arrayContaining(['planification du travail']));
  });

  it('the normalised words', () => {
    expect(suggest('Gestion de PROJ').keywordsTransformed).toEqual(['gestion', 'proj']);
  });

  it('each text once, as it is written, at most the requested number', () => {
    const found = labels('javascript');
    expect(found.filter((label) => label.toLowerCase() === 'javascript')).toEqual(['JavaScript']);
    expect(labels('p', 3)).toHaveLength(3);
  });

  it('nothing for an empty text', () => {
    expect(suggest('')).toEqual({ keywordsTransformed: [], suggestions: [], quality: 'none' });
    expect(suggest('zzqxw')).toEqual({ keywordsTransformed: ['zzqxw'], suggestions: [], quality: 'none' });
  });
});
