import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { errorKinds } from '../../../src/errors.ts';
import { type Locale, locales, readLanguages } from '../../../src/faces/words/i18n.ts';
import { auditActions } from '../../../src/services/tenants/audit.ts';
import { findKeyUses, type KeyUses, readNotices, readProblems } from './key-uses.ts';

/** Of the product, and of the demo. */
const folders = ['views/locales', 'demo/views/locales'];
const catalogues = Object.fromEntries(locales.map((locale) => [locale, readCatalogue(locale)])) as Record<
  Locale,
  Map<string, string>
>;
const translations = locales.filter((locale) => locale !== 'en');

/** Texts by full key, `keys.title`. */
function readCatalogue(locale: Locale): Map<string, string> {
  const texts = new Map<string, string>();
  for (const path of folders.flatMap((folder) => listFiles(join(folder, locale)))) {
    const flatten = (value: unknown, key: string): void => {
      if (typeof value === 'string') texts.set(key, value);
      else for (const [name, inner] of Object.entries(value as object)) flatten(inner, `${key}.${name}`);
    };
    flatten(JSON.parse(readFileSync(path, 'utf8')), basename(path, '.json'));
  }
  return texts;
}

/** With the folder. */
function listFiles(folder: string): string[] {
  return readdirSync(folder).map((file) => join(folder, file));
}

const PLURAL = /_(?:zero|one|two|few|many|other)$/;
const baseOf = (key: string) => key.replace(PLURAL, '');
const bases = (locale: Locale) => [...new Set([...catalogues[locale].keys()].map(baseOf))].sort();
const known = new Set(bases('en'));

const files = (folder: string, ending: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .map((path) => readFileSync(join(folder, path), 'utf8'));
const adminSources = [...files('views/admin', '.eta'), ...files('src/faces/admin', '.ts')];
const sources = [
  ...adminSources,
  ...['views', 'demo/views'].flatMap((folder) => files(folder, '.eta')),
  ...['src/faces', 'demo'].flatMap((folder) => files(folder, '.ts')),
];
const names = folders.flatMap((folder) => readdirSync(join(folder, 'en'))).map((file) => basename(file, '.json'));
const uses: KeyUses = findKeyUses(sources, names);

test('the catalogues and the sources are read', () => {
  expect(known.size).toBeGreaterThan(200);
  expect(uses.called.size).toBeGreaterThan(200);
});

test.each(folders)('all languages have the same files in %s', (folder) => {
  for (const locale of translations) expect(readdirSync(join(folder, locale))).toEqual(readdirSync(join(folder, 'en')));
});

test.each(translations)('%s has the keys of English', (locale) => {
  expect(bases(locale)).toEqual(bases('en'));
});

test.each<[Locale, readonly string[]]>([
  ['en', ['one', 'other']],
  ['fr', ['many', 'one', 'other']],
  ['de', ['one', 'other']],
  ['es', ['many', 'one', 'other']],
])('%s has every plural form that the language has', (locale, forms) => {
  const keys = [...catalogues[locale].keys()];
  const bases = new Set(keys.filter((key) => PLURAL.test(key)).map(baseOf));
  const wrong = [...bases].filter((base) => {
    const found = keys.filter((key) => baseOf(key) === base).map((key) => key.slice(base.length + 1));
    // Zero may have words of its own in every language.
    return !isEqual(found.filter((form) => form !== 'zero').sort(), forms);
  });
  expect(wrong).toEqual([]);
});

const isEqual = (a: readonly string[], b: readonly string[]) => a.join() === b.join();

test.each(translations)('%s fills in the values of English', (locale) => {
  const [english, translated] = [listValues('en'), listValues(locale)];
  const wrong = [...known].filter((base) => english.get(base) !== translated.get(base));
  expect(wrong).toEqual([]);
});

/** Names of the values that each key fills in, whatever its plural forms. */
function listValues(locale: Locale): Map<string, string> {
  const values = new Map<string, Set<string>>();
  for (const [key, text] of catalogues[locale]) {
    const names = values.get(baseOf(key)) ?? new Set();
    for (const [value] of text.matchAll(/\{\{\w+\}\}/g)) names.add(value);
    values.set(baseOf(key), names);
  }
  return new Map([...values].map(([base, names]) => [base, [...names].sort().join()]));
}

test('no text is empty', () => {
  const empty = locales.flatMap((locale) =>
    [...catalogues[locale]].filter(([, text]) => text.trim() === '').map(([key]) => `${locale} ${key}`),
  );
  expect(empty).toEqual([]);
});

test('every key that is used exists', () => {
  expect([...uses.called].filter((key) => !known.has(key)).sort()).toEqual([]);
});

test('every beginning of a key that is used has keys', () => {
  const wrong = [...uses.prefixes].filter((prefix) => ![...known].some((key) => key.startsWith(prefix)));
  expect(wrong).toEqual([]);
});

test('every notice after a change exists', () => {
  const { notices, prefixes } = readNotices(adminSources);
  expect(notices.size).toBeGreaterThan(5);
  const wrong = [...notices].filter((name) => !known.has(`notices.${name}`));
  expect(wrong).toEqual([]);
  for (const prefix of prefixes) expect([...known].some((key) => key.startsWith(`notices.${prefix}`))).toBe(true);
});

test('every problem that a form can have exists', () => {
  const problems = readProblems(adminSources);
  expect(problems.size).toBeGreaterThan(3);
  const withReasons = [
    'tenants/admins/admin-records.ts',
    'courses/lti-registrations/validate-details.ts',
    'people/slack/slack-credentials.ts',
  ];
  const reasons = withReasons.flatMap((file) => {
    const found = readFileSync(`src/services/${file}`, 'utf8').match(/(?<=^ {2}\| ')[\w-]+(?=')/gm);
    return found!;
  });
  expect(reasons.length).toBeGreaterThan(10);
  const wrong = [...problems, ...reasons].filter((name) => !known.has(`problems.${name}`));
  expect(wrong).toEqual([]);
});

test('every kind of error has a title', () => {
  const kinds = [...new Set(Object.values(errorKinds))];
  expect(kinds.filter((kind) => !known.has(`errors.titles.${kind}`))).toEqual([]);
});

test('every action of the audit trail has a name', () => {
  expect(auditActions.filter((action) => !known.has(`audit.actions.${action}`))).toEqual([]);
});

test('no key is there for nothing', () => {
  const { notices, prefixes } = readNotices(adminSources);
  const all = [...sources, ...files('src/services', '.ts')].join('\n');
  const isUsed = (key: string): boolean => {
    const [file, name = ''] = [key.split('.')[0], key.slice(key.indexOf('.') + 1)];
    if (file === 'notices') return notices.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
    if (file === 'problems') return uses.called.has(key) || all.includes(`'${name}'`);
    if (file === 'errors' && /^[A-Z_]+$/.test(name)) return name in errorKinds || uses.called.has(key);
    if (key.startsWith('audit.actions.')) return auditActions.some((action) => key.endsWith(`.${action}`));
    return uses.mentioned.has(key) || [...uses.prefixes].some((prefix) => key.startsWith(prefix));
  };
  expect([...known].filter((key) => !isUsed(key))).toEqual([]);
});

describe('the French', () => {
  const texts = [...catalogues.fr];

  test('has typographic apostrophes and quotation marks', () => {
    const asRead = ([, text]: (typeof texts)[number]) => text.replace(/`\/[^`]*`/g, '');
    // What is to be typed has marks that can be typed.
    expect(texts.filter((each) => /['"“”]/.test(asRead(each)))).toEqual([]);
  });

  test('has a space before the marks that take one', () => {
    expect(texts.filter(([, text]) => /[^\s\u00a0\u202f][:;!?»](?=\s|$)|«(?![\s\u00a0])/.test(text))).toEqual([]);
  });

  test('begins no line with such a mark', () => {
    const t = readLanguages().translatorOf('fr');
    expect(t('forms.problems', { count: 1 })).toBe('Corrigez un champ\u00a0:');
    expect(t('admins.noneFound', { search: 'x' })).toContain('«\u00a0x\u00a0»');
  });

  test('is not English', () => {
    // The manifest of the Slack app has one name for it.
    const shortcuts = new Set(['Find learning for this']);
    const same = texts.filter(
      ([key, text]) =>
        catalogues.en.get(key) === text && !shortcuts.has(text) && /[a-z]{3,} [a-z]{3,} [a-z]{3,}/i.test(text),
    );
    expect(same).toEqual([]);
  });
});
