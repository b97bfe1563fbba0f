import { expect, test } from 'vitest';
import { readLanguageCode } from '../../../src/adapters/catalog/language-code.ts';
import { readObjectType } from '../../../src/adapters/catalog/object-record.ts';
import { readIsFree, readLevel, readMinutes, readPriceIsFree } from '../../../src/adapters/catalog/quantities.ts';
import { readColumnHeader } from '../../../src/adapters/catalog/tables/columns.ts';
import { objectColumns } from '../../../src/adapters/catalog/tables/open-objects-source.ts';

/** Header rows as people export them, with what is read of each. */
const headers: readonly (readonly [from: string, header: string, matched: string])[] = [
  ['Moodle', 'shortname;fullname;summary;courseurl', '- title description url'],
  ['Canvas', 'course_id;short_name;long_name;html_url', '- - title url'],
  ['Kaltura', '*title;tags;url;duration (sec);thumbnailUrl', 'title keywords url learningTime picture'],
  ['YouTube', 'Video ID;Video Title (Original);Video URL;Approximate Duration (ms)', '- title url learningTime'],
  ['Coursera', 'partner;course;skills;course_url', 'provider title keywords url'],
  ['Airtable', 'Resource Name;Link to Resource;Cost?;Estimated Time (hrs)', 'title url price learningTime'],
  ['a form', 'Timestamp;What is the title of the resource?;Link (URL);Is it free?', '- title url free'],
  [
    'a French list',
    "Intitulé de la formation;Lien vers la formation;Organisme de formation;Tarif TTC;Niveau requis;Langue d'enseignement",
    'title url provider price level lang',
  ],
  [
    'a German list',
    'Titel des Kurses;Link zum Kurs;Preis in Euro;Kurssprache;Kursbeschreibung;Vorschaubild',
    'title url price lang description picture',
  ],
  [
    'a Spanish list',
    'Título del curso;Enlace al curso;Tiempo estimado;Tipo de recurso;Gratuito;Proveedor',
    'title url learningTime type free provider',
  ],
  ['an Italian list', 'Titolo;Link;Durata;Prezzo;Livello;Autore', 'title url learningTime price level author'],
];

test.each(headers)('the columns of %s', (_, header, matched) => {
  const { matched: columns } = readColumnHeader('a.csv', header.split(';'), objectColumns);
  expect(columns.map(({ readAs }) => readAs ?? '-').join(' ')).toBe(matched);
});

test.each<readonly [string, number | null]>([
  ['½ Tag', 240],
  ['halber Tag', 240],
  ['2 demi-journées', 480],
  ['une heure', 60],
  ['3 x 45 min', 135],
  ['12 Lektionen', 540],
  ['4 Wochen à 2 Stunden', 480],
  ['4 semanas, 3 horas por semana', 720],
  ['5-6 hours per week, 4 weeks', 1_320],
  ['2 horas y 30 minutos', 150],
  ['1 y', 120_000],
  ['1.200 Minuten', 1_200],
  ['0.517 hours', 31.02],
  ['Dauer: 3 Stunden', 180],
  ['< 2 h', 120],
  ['2 uur', 120],
  ['3 horas/semana', null],
  ['self-paced', null],
])('%s takes %s minutes', (text, minutes) => {
  expect(readMinutes(text)).toBe(minutes);
});

test.each<readonly [string, boolean | undefined]>([
  ['1.299,00 €', false],
  ['CHF 20.-', false],
  ['EUR 0.–', true],
  ['Free trial', false],
  ['free with subscription', false],
  ['free to audit', true],
  ['Gratuito', true],
  ['ohne Kosten', true],
  ['non payant', true],
  ['Kostenpflichtig', false],
  ['desde 20 €', false],
  ['Freemium', undefined],
  ['sur devis', undefined],
])('the price %s is free: %s', (text, isFree) => {
  expect(readPriceIsFree(text)).toBe(isFree);
});

test('a cross or a tick says yes', () => {
  expect(['x', '✓', 'verdadero', 'falso', 'kein'].map(readIsFree)).toEqual([true, true, true, false, false]);
});

test('levels of languages, numbers and courses', () => {
  const words = [
    'B2',
    'Niveau 2',
    'Level 3',
    'Anfänger',
    'Grundkurs',
    'Básico',
    'avanzato',
    'aucun prérequis',
    'Level 7',
  ];
  expect(words.map(readLevel)).toEqual([0, 0, 1, -1, -1, -1, 1, -1, undefined]);
});

test('languages by their names in other languages, with notes behind them', () => {
  const words = ['Allemand', 'Englisch', 'Inglés', 'deutsch (Schweiz)', 'English [Auto]', 'Português (BR)', 'Klingon'];
  expect(words.map(readLanguageCode)).toEqual(['de', 'en', 'en', 'de', 'en', 'pt', undefined]);
});

test('types in other languages', () => {
  const words = ['Präsenzkurs', 'Classe virtuelle', 'Curso en línea', 'Artículo', 'Ejercicio', 'Lernpfad', 'Hörbuch'];
  const types = ['training', 'training', 'distance learning', 'article', 'tutorial', 'training', 'book'];
  expect(words.map((word) => readObjectType([word]))).toEqual(types);
});
