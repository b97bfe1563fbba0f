import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Guides of people who press what our pages show; bold is what they press. */
const guides = ['admin', 'canvas', 'instructors', 'learners', 'moodle', 'slack'];

/** Labels of Moodle and Canvas, and words that are stressed. */
const others: Readonly<Record<string, readonly string[]>> = {
  en: [
    'Tool URL',
    'Add LTI Advantage',
    'Show in activity chooser and as a preconfigured tool',
    'Update',
    'Register as a new external tool',
    'Save and return to course',
    'View configuration details',
    'On',
    "deletes the activity's gradebook column with every grade in it",
    'Non-editing teachers',
  ],
  fr: [
    'URL de l’outil',
    'Ajouter LTI Advantage',
    'Afficher dans le sélecteur d’activités et comme outil préconfiguré',
    'Mettre à jour',
    'Enregistrer comme nouvel outil externe',
    'supprime la colonne > de l’activité dans le carnet de notes, avec toutes ses notes',
    'enseignants non éditeurs',
  ],
};

const readLabels = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?<=[^\s>|-] )\*\*([^*]+)\*\*/g)].map(([, label]) =>
    label!.replace(/\s+/g, ' '),
  );

function* listTexts(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else for (const each of Object.values(value as object)) yield* listTexts(each);
}

function readTexts(locale: string): string[] {
  const folder = join('views/locales', locale);
  return readdirSync(folder).flatMap((name) => [...listTexts(JSON.parse(readFileSync(join(folder, name), 'utf8')))]);
}

/** Commands and shortcuts, which Slack shows in one language. */
const inManifest = [...readFileSync('manifest.yml', 'utf8').matchAll(/name: (.+)/g)].map(([, name]) => name!);

const simplify = (text: string) => text.toLowerCase().replace(/[\s.:…]+$/, '');

test.each([
  ['en', 'docs/guides'],
  ['fr', 'docs/guides/fr'],
])('what a guide says to press is on our pages: %s', (locale, folder) => {
  const texts = readTexts(locale).map(simplify);
  // A label with a placeholder, or with a remark behind it, is quoted without.
  const starts = texts.map((text) => text.replace(/ ?[({].*$/, '')).filter((text) => text !== '');
  const shown = new Set([...texts, ...starts, ...[...others[locale]!, ...inManifest].map(simplify)]);
  const labels = guides.flatMap((guide) =>
    readLabels(join(folder, `${guide}.md`)).flatMap((path) => path.split(' → ')),
  );
  expect(labels.length).toBeGreaterThan(50);
  expect(labels.filter((label) => !shown.has(simplify(label)))).toEqual([]);
});
