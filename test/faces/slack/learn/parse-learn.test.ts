import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readQueryMinutes } from '../../../../src/domain/query-intent/query-grammar.ts';
import { parseLearn, quoteTerm } from '../../../../src/faces/slack/learn/understand.ts';

test.each(['data analyst', 'C++', 'problem-solving', 'Tableau (software)'])('%s is typed as it is', (label) => {
  expect(quoteTerm(label)).toBe(label);
});

test.each([
  ['free software', 'free software'],
  ['type:video', 'type:video'],
  ['-word', '-word'],
  ['List<T>', 'List<T>'],
  ['say "hello" free', 'say  hello  free'],
])('reads no filter in %s', (label, words) => {
  const typed = parseLearn(quoteTerm(label));
  expect(typed.filters).toEqual([]);
  expect(typed.excluded).toEqual([]);
  expect(typed.words.replace(/\s+/g, ' ')).toBe(words.replace(/\s+/g, ' '));
});

const nothing = { words: '', filters: [], phrases: [], unknownFilters: [], excluded: [] };

test('reads everything at once, as a phone types it', () => {
  expect(
    parseLearn('docker type:video,article lang:fr level:beginner free provider:"Khan Academy" max:1h30 −java'),
  ).toEqual({
    words: 'docker',
    filters: [
      { key: 'type', values: ['video', 'article'] },
      { key: 'lang', values: ['fr'] },
      { key: 'level', values: ['beginner'] },
      { key: 'price', values: ['free'] },
      { key: 'provider', values: ['Khan Academy'] },
      { key: 'max', values: ['1h30'] },
    ],
    phrases: [],
    unknownFilters: [],
    excluded: ['java'],
  });
});

test.each([
  ['l’apprentissage', "l'apprentissage"],
  ['python — basics', 'python basics'],
  ['python - basics -- more', 'python basics more'],
  ['front-end, C++ and node.js', 'front-end, C++ and node.js'],
  ['R &amp;amp; D &lt;b&gt;', 'R &amp; D <b>'],
  ['<https://example.org/a|Docker> <@U1|ada> <@U2> <#C1|general> <!here>', 'Docker ada general'],
  ['an "unclosed phrase', 'an unclosed phrase'],
  ['"type:video" "free" "-java" "lnag:fr"', 'type:video free -java lnag:fr'],
  ['https://example.org/a mailto://x', 'https://example.org/a mailto://x'],
  ['type: lang:"" -', 'type: lang:'],
  ['a\u00a0b\u200bc\u0000d', 'a b c d'],
])('%j is searched as %j', (typed, words) => {
  expect(parseLearn(typed)).toEqual({ ...nothing, words });
});

test.each([
  ['“machine learning” basics', 'machine learning basics', ['machine learning']],
  ['« apprentissage automatique »', 'apprentissage automatique', ['apprentissage automatique']],
  ['"type:video -java" now', 'type:video -java now', ['type:video -java']],
])('%j has a phrase', (typed, words, phrases) => {
  expect(parseLearn(typed)).toEqual({ ...nothing, words, phrases });
});

test('keeps an unknown filter among the words, and names it', () => {
  expect(parseLearn('lnag:fr,"de ch" docker constructor:x __proto__:y')).toEqual({
    ...nothing,
    words: 'lnag:fr,de ch docker constructor:x __proto__:y',
    unknownFilters: [
      { text: 'lnag:fr,de ch', key: 'lnag', values: ['fr', 'de ch'] },
      { text: 'constructor:x', key: 'constructor', values: ['x'] },
    ],
  });
});

test.each([
  ['TYPE:Vidéo', 'type', 'Vidéo'],
  ['Langue:français', 'lang', 'français'],
  ['niveau:débutant', 'level', 'débutant'],
  ['fournisseur:youtube', 'provider', 'youtube'],
  ['tri:hasard', 'sort', 'hasard'],
  ['prix:gratuit', 'price', 'gratuit'],
  ['min:10', 'min', '10'],
  ['bloom:“Understand”', 'bloom', 'Understand'],
  ['GRATUIT', 'price', 'free'],
  ['gratuites', 'price', 'free'],
  ['paid', 'price', 'paid'],
  ['Payants', 'price', 'paid'],
  ['free:yes', 'price', 'yes'],
  ['gratuit:non', 'price', 'non'],
])('%j is a filter', (typed, key, value) => {
  expect(parseLearn(typed)).toEqual({ ...nothing, filters: [{ key, values: [value] }] });
});

test.each([
  ['-java', ['java']],
  ['–java', ['java']],
  ['--java', ['java']],
  ['—java', ['java']],
  ['-"deep learning" -C++', ['deep learning', 'C++']],
])('%j is excluded', (typed, excluded) => {
  expect(parseLearn(typed)).toEqual({ ...nothing, excluded });
});

test('reads no filter within a word', () => {
  expect(parseLearn('x-type:video free-style sugar-free')).toEqual({
    ...nothing,
    words: 'x-type:video free-style sugar-free',
  });
});

describe('any input', () => {
  const letters = fc.constantFrom('docker', 'été', '机器学习', 'C++', "l'eau", 'node.js', 'Αθήνα', 'a1');

  test('throws nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (typed) => {
        const { words, filters, excluded } = parseLearn(typed);
        expect(words).toBe(words.trim());
        expect(words).not.toMatch(/[\p{Cc}"]/u);
        for (const { values } of filters) expect(values).not.toContain('');
        expect(excluded).not.toContain('');
      }),
    );
  });

  test('keeps all words and their order', () => {
    const filter = fc.constantFrom('type:video', '-java', 'FREE', 'max:"1 h"', 'lang:fr,en', '-"a b"', '—');
    fc.assert(
      fc.property(fc.array(fc.oneof(letters, filter), { maxLength: 20 }), (pieces) => {
        const words = pieces.filter((each) => !/^(?:type:|-|FREE|max:|lang:|—)/.test(each));
        expect(parseLearn(pieces.join(' ')).words).toBe(words.join(' '));
      }),
    );
  });

  test('searches for text in quotation marks as it is', () => {
    const phrase = fc
      .stringMatching(/^[a-z:+-]{1,8}(?: [a-z:+-]{1,8}){0,4}$/)
      .filter((words) => !/:[a-z+-]+:/.test(words));
    fc.assert(
      fc.property(phrase, (words) => {
        expect(parseLearn(`“${words}”`)).toEqual({
          ...nothing,
          words,
          phrases: words.includes(' ') ? [words] : [],
        });
      }),
    );
  });

  test('reads a long text of quotation marks to its end', () => {
    const typed = `${'type:"a",'.repeat(5_000)} ${'-"'.repeat(5_000)}${'<'.repeat(5_000)}`;
    expect(parseLearn(typed).excluded.length).toBeLessThan(10_000);
  });
});

test.each([
  ['30', 30],
  ['30min', 30],
  ['45 mn', 45],
  ['1h', 60],
  ['1h30', 90],
  ['1H30min', 90],
  ['1.5h', 90],
  ['2 heures', 120],
  ['0', null],
  ['0h0', null],
  ['soon', null],
  ['-5', null],
  ['9999999', null],
])('%j is %j minutes', (text, minutes) => {
  expect(readQueryMinutes(text)).toBe(minutes);
});
