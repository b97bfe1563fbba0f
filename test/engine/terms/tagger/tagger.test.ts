import { describe, expect, it } from 'vitest';
import type { Concept } from '../../../../src/engine/terms/types.ts';
import { createTermIndex } from '../create-term-index.ts';
import { sampleConcepts } from '../sample-taxonomy.ts';

const index = createTermIndex(sampleConcepts);
/** What is found at all; which of it the text gives evidence for is tested in
 *  `credible-tags.test.ts`. */
const tag = (text: string, options: { lang?: string; source?: string; max?: number } = {}) =>
  index.tag({ lang: 'en', max: 10, guesses: true, ...options, text });
const idsOf = (text: string, options = {}) => tag(text, options).tags.map(({ conceptId }) => conceptId);

describe('tag returns', () => {
  it('labels in another form of their words', () => {
    expect(idsOf('She has managed projects and baked bread for years.')).toEqual(
      expect.arrayContaining(['pm', 'baking']),
    );
  });

  it('labels of which the text has enough, in any order', () => {
    expect(idsOf('The risks of every project are yours to manage')).toContain('esco-risk');
  });

  it('French labels in French text, with elisions', () => {
    const ids = idsOf('Nous cherchons quelqu’un qui pratique la gestion des projets et l’apprentissage automatique.', {
      lang: 'fr',
    });
    expect(ids).toEqual(expect.arrayContaining(['pm', 'ml']));
  });

  it('English phrases in French text', () => {
    const answer = tag('Une équipe de machine learning', { lang: 'fr' });
    expect(answer.tags[0]).toMatchObject({ conceptId: 'ml', label: 'apprentissage automatique' });
  });

  it('labels of a taxonomy whose labels share no words', () => {
    const plain = createTermIndex(
      ['machine learning', 'bread baking', 'project planning'].map((label) => {
        return { id: label, source: 'Skilldock', kind: 'skill', labels: { en: label }, altLabels: {} };
      }),
    );
    const { tags } = plain.tag({ lang: 'en', max: 10, text: 'A course on bread baking' });
    expect(tags).toMatchObject([{ conceptId: 'bread baking' }]);
    expect(tags[0]!.score).toBeGreaterThan(0);
  });

  it('nothing in nonsense, an empty text, and a text about nothing', () => {
    for (const text of ['', '   ', '!!! ???', 'qwzx vbnkj plmt', 'We were there with them, and it was so.']) {
      expect(tag(text).tags).toEqual([]);
      expect(tag(`${text} We like photography.`).tags).not.toEqual([]);
    }
  });

  it('IT only in capitals', () => {
    expect(idsOf('You will work in IT with us')).toContain('it');
    expect(idsOf('You will like it here')).not.toContain('it');
  });

  it('a label of one word by that word, and not by another with its stem', () => {
    expect(idsOf('We are photographing')).not.toContain('photo');
    expect(idsOf('We like photography')).toContain('photo');
  });

  it('acronyms only in capitals, alone or in a longer label', () => {
    const tools: Concept[] = [
      {
        id: 'cat',
        source: 'S',
        kind: 'skill',
        labels: { en: 'translation software' },
        altLabels: { en: ['CAT'] },
      },
      { id: 'api', source: 'S', kind: 'skill', labels: { en: 'interfaces' }, altLabels: { en: ['API'] } },
    ];
    const ids = (text: string) =>
      createTermIndex(tools)
        .tag({ text, lang: 'en', max: 5, guesses: true })
        .tags.map(({ conceptId }) => conceptId);
    expect(ids('The cat sat on the mat')).toEqual([]);
    expect(ids('Experience with CAT is welcome')).toEqual(['cat']);
    expect(ids('Our APIs are public')).toEqual(['api']);
  });

  it('a longer label by one of its words only beside a surer tag of the sentence', () => {
    const road: Concept[] = ['road construction', 'asphalt', ...Array.from({ length: 200 }, (_, i) => `thing${i}`)].map(
      (label) => ({ id: label, source: 'S', kind: 'skill', labels: { en: label }, altLabels: {} }),
    );
    const ids = (text: string) =>
      createTermIndex(road)
        .tag({ text, lang: 'en', max: 5, guesses: true })
        .tags.map(({ conceptId }) => conceptId);
    expect(ids('An old man walks on the road')).toEqual([]);
    expect(ids('He works with asphalt. An old man walks on the road')).toEqual(['asphalt']);
    expect(ids('Asphalt for the road').sort()).toEqual(['asphalt', 'road construction']);
  });

  it('no label across two sentences', () => {
    const scoreIn = (text: string) => tag(text).tags.find(({ conceptId }) => conceptId === 'ml')?.score ?? 0;
    expect(scoreIn('We build machine learning.')).toBeGreaterThan(0.7);
    expect(scoreIn('We build a machine. Learning is fun.')).toBeLessThan(0.4);
  });
});

describe('tag includes', () => {
  it('the folded words as the tokenized text', () => {
    expect(tag('L’été, Œuvrer en C++ !\nVite.', { lang: 'fr' }).tokenizedText).toBe('ete oeuvrer en c++ vite');
  });

  it('at most the requested number, best first', () => {
    const text = 'Python, Java, JavaScript, welding, photography and first aid';
    const scores = tag(text).tags.map(({ score }) => score);
    expect(scores.length).toBeGreaterThanOrEqual(6);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(tag(text, { max: 2 }).tags).toEqual(tag(text).tags.slice(0, 2));
  });

  it('only the requested source', () => {
    const text = 'project management with Python';
    expect(idsOf(text, { source: 'ESCO' })).toEqual(expect.arrayContaining(['esco-pm', 'esco-python']));
    expect(new Set(tag(text, { source: 'ESCO' }).tags.map(({ source }) => source))).toEqual(new Set(['ESCO']));
    expect(tag(text, { source: 'Nowhere' })).toMatchObject({
      tags: [],
      tokenizedText: 'project management with python',
    });
  });

  it('a label of two taxonomies once', () => {
    const twins = ['A', 'B'].map(
      (source): Concept => ({ id: source, source, kind: 'skill', labels: { en: 'yoga' }, altLabels: {} }),
    );
    expect(createTermIndex(twins).tag({ text: 'yoga', lang: 'en', max: 5, guesses: true }).tags).toHaveLength(1);
  });

  it('the longer phrase, but not the one within it', () => {
    const nested = ['deep learning', 'learning', 'deep learning systems'].map(
      (label): Concept => ({ id: label, source: 'S', kind: 'skill', labels: { en: label }, altLabels: {} }),
    );
    const { tags } = createTermIndex(nested).tag({
      text: 'a deep learning course',
      lang: 'en',
      max: 5,
      guesses: true,
    });
    expect(tags.map(({ label }) => label)).toEqual(['deep learning']);
  });
});

it('finds skills anywhere in a text of 20,000 characters', () => {
  const filler = 'Nobody knew what had been there before, and so nothing came of that for a while. ';
  const text = `${filler.repeat(120)}They taught us first aid. ${filler.repeat(120)}`.slice(0, 20_000);
  expect(text.length).toBeGreaterThan(19_000);
  const answer = tag(text);
  expect(answer.tags.map(({ conceptId }) => conceptId)).toContain('first-aid');
  expect(answer.tokenizedText.split(' ').length).toBeGreaterThan(3_000);
});

it('ranks repeated skills above those mentioned once', () => {
  const text = 'Photography is nice. Negotiation is hard. Negotiation pays. We love negotiation.';
  expect(idsOf(text).slice(0, 2)).toEqual(['negotiation', 'photo']);
});
