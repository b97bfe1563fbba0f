import { describe, expect, test } from 'vitest';
import { toPublicPictures } from '../../../src/domain/picture.ts';
import { writeLengthFact, writeLevelFact, writePriceFact } from '../../../src/faces/object-view/facts.ts';
import { toObjectView, writeObjectViewLine } from '../../../src/faces/object-view/object-view.ts';
import { readLanguages } from '../../../src/faces/words/i18n.ts';
import { bareObject, fullObject } from '../../fakes/learning-service.ts';
import { createFakePictures } from '../../fakes/pictures.ts';

const { translatorOf } = readLanguages();
const pictures = createFakePictures();
const english = { t: translatorOf('en'), locale: 'en', pictures };
const french = { t: translatorOf('fr'), locale: 'fr' };

test('says in English what is known of an object', () => {
  expect(toObjectView(fullObject, english)).toMatchObject({
    url: 'https://example.org/python',
    title: 'Python for everybody',
    picture: pictures.linkTo('https://example.org/python.png'),
    kind: 'mooc',
    provider: 'YouTube',
    by: 'Ada',
    types: ['MOOC', 'Career profile'],
    level: 'Easy',
    length: '1 h 30 min',
    price: 'Free',
    isFree: true,
    language: 'English',
    bloom: ['Understand', 'Apply'],
    place: 'Lyon',
  });
});

test('an object without a picture may have one that follows from its address', () => {
  const url = 'https://youtu.be/BSaF8KxnoLY';
  const picture = pictures.linkTo('https://i.ytimg.com/vi/BSaF8KxnoLY/hqdefault.jpg');
  expect(toObjectView({ ...bareObject, url }, english).picture).toEqual(picture);
});

test('an object without a picture has the one that its page names', () => {
  const named = { linkTo: pictures.linkTo, findOfPage: (url: string) => `${url}/cover.png` };
  const words = { ...english, pictures: toPublicPictures(named, 'https://skills.example.org') };
  const { plain } = toObjectView(bareObject, words).picture ?? {};
  expect(plain).toBe(`https://skills.example.org${pictures.linkTo(`${bareObject.url}/cover.png`)?.plain}`);
  expect(toObjectView(fullObject, { ...english, pictures: named }).picture).toEqual(
    pictures.linkTo('https://example.org/python.png'),
  );
});

test('and in French', () => {
  expect(toObjectView(fullObject, french)).toMatchObject({
    types: ['MOOC', 'Fiche métier'],
    level: 'Facile',
    price: 'Gratuit',
    language: 'Anglais',
    bloom: ['Comprendre', 'Appliquer'],
  });
});

test('says nothing that nobody knows', () => {
  const { url, title, titlePieces, facts, ...rest } = toObjectView(bareObject, english);
  expect(facts.flatMap(({ values }) => values.map(({ value }) => value))).toEqual(['not stated']);
  expect(titlePieces).toEqual([{ text: title, isMatch: false }]);
  expect(url).toBe(bareObject.url);
  expect(rest).toEqual({
    descriptionPieces: [],
    lang: null,
    picture: null,
    isPlayable: false,
    kind: 'other',
    provider: null,
    by: '',
    authors: '',
    publishers: '',
    types: [],
    level: null,
    length: null,
    price: null,
    isFree: false,
    language: null,
    bloom: [],
    place: null,
    license: null,
    hasCaptions: false,
    year: null,
  });
});

test('a line has the licence, captions and the year of the last change, where these are stated', () => {
  const facts = { license: 'CC-BY-4.0', accessibilityFeature: ['captions'], published: '2023-05-01', modified: '2025' };
  const lineOf = (object: object) =>
    writeObjectViewLine(toObjectView({ ...bareObject, ...object }, english), english.t);
  expect(lineOf(facts)).toBe('CC BY 4.0 · Captions or transcript · 2025');
  expect(lineOf({})).toBe('');
});

test('marks what matched', () => {
  const { titlePieces, descriptionPieces } = toObjectView(fullObject, english, {
    title: [[0, 6]],
    description: [[3, 15]],
  });
  expect(titlePieces).toEqual([
    { text: 'Python', isMatch: true },
    { text: ' for everybody', isMatch: false },
  ]);
  expect(descriptionPieces.filter(({ isMatch }) => isMatch)).toEqual([{ text: 'introduction', isMatch: true }]);
  expect(descriptionPieces.map(({ text }) => text).join('')).toBe(fullObject.description);
});

test('shows what a service calls otherwise as it is, and no picture that is not safe to load', () => {
  const object = {
    ...bareObject,
    type: ['webinar'],
    bloom: ['Imagine'],
    picture: 'http://example.org/a.png',
  };
  expect(toObjectView(object, french)).toMatchObject({
    types: ['Webinar'],
    bloom: ['Imagine'],
    kind: 'other',
    picture: null,
  });
});

test('names at most three people, and nobody twice', () => {
  const author = ['Ada', 'Grace', 'Alan', 'Edsger'];
  expect(toObjectView({ ...bareObject, author }, english).by).toBe('Ada, Grace, Alan');
  expect(toObjectView({ ...bareObject, provider: 'Ada', publisher: ['Ada'] }, english).by).toBe('');
});

describe('facts', () => {
  test.each([
    [-1, 'Beginner'],
    [-0.6, 'Beginner'],
    [-0.59, 'Easy'],
    [-0.2, 'Intermediate'],
    [0.2, 'Intermediate'],
    [0.21, 'Demanding'],
    [0.6, 'Advanced'],
    [1, 'Advanced'],
  ])('level %d is %s', (level, name) => {
    expect(writeLevelFact(level, english.t)).toBe(name);
  });

  test.each([
    [0.2, '1 min'],
    [45, '45 min'],
    [60, '1 h'],
    [90, '1 h 30 min'],
    [60 * 1200, '1,200 h'],
  ])('%d minutes are %s', (minutes, text) => {
    expect(writeLengthFact(minutes, english)).toBe(text);
  });

  test('prices are written as the reader writes them', () => {
    const price = { free: false, amount: 12.5, currency: '€' };
    expect(writePriceFact(price, english)).toBe('€12.50');
    expect(writePriceFact(price, french)).toBe('12,50 €');
    expect(writePriceFact({ free: false }, english)).toBe('Paid');
    expect(writePriceFact({ free: true, amount: 12.5 }, english)).toBe('Free');
    expect(writePriceFact({ free: false, amount: 3 }, english)).toBe('3');
  });
});
