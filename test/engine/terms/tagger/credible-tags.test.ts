import { describe, expect, it } from 'vitest';
import { starterTerms } from '../starter-terms.ts';

const tagsOf = (text: string, lang = 'en', max = 10) => starterTerms.tag({ text, lang, max, spans: true }).tags;
const labelsOf = (text: string, lang = 'en', max = 10) => tagsOf(text, lang, max).map(({ label }) => label);

/** Something that is wanted, beside the text: a tagger that gives nothing passes no test. */
const beside = {
  en: { sentence: 'I would like to learn welding.', label: 'welding' },
  fr: { sentence: 'Je voudrais apprendre la soudure.', label: 'soudage' },
};

/** Expects that the text gives none of these, where what is wanted beside it comes. */
function expectNone(text: string, labels: readonly string[], lang: keyof typeof beside = 'en'): void {
  const { sentence, label } = beside[lang];
  const given = labelsOf(`${text} ${sentence}`, lang, 50);
  expect(given).toContain(label);
  for (const each of labels) expect(given).not.toContain(each);
}

/** What was seen in real hands: words scattered over a sentence made skills of it. */
describe('does not invent skills from scattered words', () => {
  it.each([
    [
      'Week 3: Read a table with a program, clean it, and draw what is in it',
      ['read technical drawings', 'table service', 'technical drawing', 'drawing'],
    ],
    ['Statistics first: aid for those who fear averages, medians and charts.', ['first aid']],
    [
      'Statistics first: averages, spread, and what chance does. Then data visualization with a few charts.',
      ['first aid'],
    ],
    ['I repair bicycles, talk to customers, keep the books.', ['psychotherapy', 'illustration']],
    [
      'Registered nurse for our clinic. You care for patients and keep records. English required, French is a plus.',
      ['business English', 'English', 'French'],
    ],
    ['Statistics and SQL: means, medians, joins and subqueries.', ['Java', 'podcasting']],
  ])('%s', (text, invented) => {
    expectNone(text, invented);
  });
});

describe('tags a label of several words', () => {
  it('if its words stand in one clause, in an order that the language allows', () => {
    expect(labelsOf('Learn first aid in one day.')).toContain('first aid');
    expectNone('What aid do we give first?', ['first aid']);
    expectNone('We first need coffee, aid comes later.', ['first aid']);
    expect(labelsOf('Learn route planning for vans')).toContain('plan transport');
    expect(labelsOf('Learn the planning of routes for vans')).toContain('plan transport');
  });

  it('but not if they are only the first part of another name', () => {
    expectNone('The first aid kit has moved.', ['first aid']);
    expectNone('Formation aux consignes de sécurité.', ['Sécurité'], 'fr');
  });
});

describe('tags a label of one word', () => {
  it('if the sentence asks for it', () => {
    expect(labelsOf('I would like to learn welding.')).toContain('welding');
    expect(labelsOf('Photography experience is welcome.')).toContain('photography');
    expect(labelsOf('Cours du soir de couture', 'fr')).toContain('couture');
    expect(labelsOf('My uncle told us of his welding for hours.')).toEqual([]);
  });

  it('if it is an item of a list or in a numbered heading', () => {
    expect(labelsOf('Welding, pruning, beekeeping')).toEqual(
      expect.arrayContaining(['welding', 'pruning', 'beekeeping']),
    );
    expect(labelsOf('Week 2: how pruning is done')).toContain('pruning');
  });

  it('if it is written like a name', () => {
    expect(labelsOf('She writes Python all day.')).toContain('Python');
    expect(labelsOf('A python was seen in the garden.')).toEqual([]);
  });
});

it('tags the skills that people want, not what they are', () => {
  expect(labelsOf('Truck driver looking for a course in beekeeping')).toEqual(['beekeeping']);
  expect(labelsOf('Comptable, je voudrais apprendre la soudure.', 'fr')).toEqual(['soudage']);
});

it('ranks skills that the text asks for before those that it mentions', () => {
  expect(labelsOf('We keep Docker running all night. You need experience in welding.')).toEqual(['welding', 'Docker']);
});

it('does not tag a language that is only required', () => {
  expectNone('Fluent English required.', ['English']);
  expectNone('Anglais courant exigé.', ['anglais'], 'fr');
  expect(labelsOf('Learn Spanish with us.')).toContain('Spanish');
});

describe('returns the span of the evidence', () => {
  const evidenceOf = (text: string, lang: string) =>
    tagsOf(text, lang).map(({ label, span }) => [label, span && text.slice(...span)]);

  it.each([
    ['Evening class: MIG welding for beginners.', 'en', ['welding', 'MIG welding']],
    ['Week 1 — “Learn” Python™ and SQL!', 'en', ['SQL', 'SQL']],
    ["Atelier d'initiation : la gestion des conflits, à l'œuvre", 'fr', ['gérer les conflits', 'gestion des conflits']],
  ])('%s', (text, lang, expected) => {
    expect(evidenceOf(text, lang)).toContainEqual(expected);
  });

  it('returns no span for guesses, or without spans', () => {
    const text = 'My uncle told us of his welding for hours.';
    const [guess] = starterTerms.tag({ text, lang: 'en', max: 5, guesses: true, spans: true }).tags;
    expect(guess).toMatchObject({ label: 'welding' });
    expect(guess).not.toHaveProperty('span');
    const [tag] = starterTerms.tag({ text: 'Learn welding', lang: 'en', max: 5 }).tags;
    expect(tag).not.toHaveProperty('span');
  });
});
