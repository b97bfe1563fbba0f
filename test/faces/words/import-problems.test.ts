import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLanguages } from '../../../src/faces/words/i18n.ts';
import { translateImportProblem } from '../../../src/faces/words/import-problems.ts';

const french = readLanguages().translatorOf('fr');
const english = readLanguages().translatorOf('en');

test.each([
  ['a.csv is empty. Check that it is the right file.', 'a.csv est vide. Vérifiez que c’est le bon fichier.'],
  [
    'a.csv lacks the columns url, title. Its unknown columns: "Titel", "Web". Is "Titel" title? Write these names into the first line, or match the columns: on the page, or with --map "url=NAME".',
    'Il manque à a.csv les colonnes url, title. Ses colonnes inconnues\u00a0: "Titel", "Web". «\u00a0Titel\u00a0» est-elle title\u00a0? Écrivez ces noms sur la première ligne, ou associez les colonnes sur la page, ou avec --map url=NOM.',
  ],
  [
    'level is "x": left out; write beginner, intermediate, advanced or a number from -1 to 1; learningTime is "long": left out; write 90 min, 1 h 30 or PT1H30M',
    'level est «\u00a0x\u00a0»\u00a0: laissé de côté\u00a0; écrivez débutant, intermédiaire, avancé ou un nombre de -1 à 1\u00a0; learningTime est «\u00a0long\u00a0»\u00a0: laissé de côté\u00a0; écrivez 90 min, 1 h 30 ou PT1H30M',
  ],
  [
    'a.docx is a Word document (.docx), which is not read. Put what it lists into a table (CSV UTF-8, .xlsx or .ods) with a row for each.',
    'a.docx est un document Word (.docx), ce qui n’est pas lu. Mettez ce qu’il énumère dans un tableau (CSV UTF-8, .xlsx ou .ods), une ligne pour chacun.',
  ],
  [
    'url is "{{count}} $t(forms.save)": taken as https://a.example/',
    'url est «\u00a0{{count}} $t(forms.save)\u00a0»\u00a0: compris comme https://a.example/',
  ],
])('%s', (message, text) => {
  expect(translateImportProblem(message, french)).toEqual({ text, lang: 'fr' });
  expect(translateImportProblem(message, english)).toEqual({ text: message, lang: 'en' });
});

test.each([
  ['de', 'id ist leer: Geben Sie jedem Konzept eine eigene ID; from und to sind dasselbe Konzept'],
  ['es', 'id está vacío: dé a cada concepto un id propio; from y to son el mismo concepto'],
] as const)('a semicolon between parts has no space before it in %s', (lang, text) => {
  const message = 'id is empty: give each concept an id of its own; from and to are the same concept';
  expect(translateImportProblem(message, readLanguages().translatorOf(lang))).toEqual({ text, lang });
});

test('a message with an unknown part stays English, and a hostile one takes no time', () => {
  const unknown = 'a.csv is empty. Check that it is the right file. And more.';
  expect(translateImportProblem(unknown, french)).toEqual({ text: unknown, lang: 'en' });
  const hostile = 'url is "'.repeat(450);
  expect(translateImportProblem(hostile, french)).toEqual({ text: hostile, lang: 'en' });
});

test('each template is of a message that the program has', () => {
  const folders = ['src/adapters/catalog', 'src/adapters/remote', 'src/compose', 'src/services/catalogue/imports'];
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => readFileSync(join(folder, path), 'utf8')),
  );
  const source = files.join('\n').replaceAll("\\'", "'");
  const { lang: _lang, ...texts } = JSON.parse(readFileSync('views/locales/en/importProblems.json', 'utf8')) as Record<
    string,
    string
  >;
  // The text between two values may be put together of several: its beginning or its end is one of
  // them.
  const ends = Object.entries(texts).map(([key, text]) => {
    const longest = text
      .split(/\{\{\w+\}\}/)
      .toSorted((a, b) => b.length - a.length)[0]!
      .replace(/\.$/, '');
    return { key, ends: [longest.slice(0, 10), longest.slice(-16)] };
  });
  expect(ends.filter(({ ends }) => !ends.some((end) => source.includes(end)))).toEqual([]);
});
