import { foldText } from '#domain/text';
import { escapeMrkdwn, normaliseTyped } from '../blocks/text.ts';

export type TypedKey = 'type' | 'lang' | 'level' | 'provider' | 'bloom' | 'sort' | 'price' | 'max' | 'min';

export interface TypedFilter {
  readonly key: TypedKey;
  /** As they were typed, without quotation marks; at least one, none empty. */
  readonly values: readonly string[];
}

export interface UnknownFilter {
  /** As it is among the words: `lnag:fr`. */
  readonly text: string;
  readonly key: string;
  readonly values: readonly string[];
}

export interface TypedSearch {
  /** What is left to search for, with the phrases; may be empty. */
  readonly words: string;
  readonly filters: readonly TypedFilter[];
  /** Several words in quotation marks; a single word is not read as a filter. */
  readonly phrases: readonly string[];
  /** What looks like a filter but is not one; it is among the words. */
  readonly unknown: readonly UnknownFilter[];
  readonly excluded: readonly string[];
}

/** Folded, in English and French. */
const keys: Readonly<Record<string, TypedKey>> = {
  type: 'type',
  lang: 'lang',
  language: 'lang',
  langue: 'lang',
  level: 'level',
  niveau: 'level',
  provider: 'provider',
  fournisseur: 'provider',
  bloom: 'bloom',
  sort: 'sort',
  tri: 'sort',
  price: 'price',
  prix: 'price',
  free: 'price',
  gratuit: 'price',
  max: 'max',
  min: 'min',
};
/** Words that name a price without a key. */
const PRICE = /^(?:free|paid|(?:gratuit|payant)e?s?)$/;

const VALUE = String.raw`(?:"[^"]*"|[^\s",]+)`;
/** In this order: `-word` or `-"a phrase"`, with any number of dashes; `key:value,"other value"`;
 *  `"a phrase"`, also behind a letter as in `l'"école"`; a word. An unpaired mark is left out. */
const pieces = new RegExp(
  [
    String.raw`(?<=^|\s)-+(?:"(?<notPhrase>[^"]*)"|(?<notWord>[\p{L}\p{N}][^\s"]*))`,
    String.raw`(?<=^|\s)(?<key>[\p{L}\p{M}]+):(?<values>${VALUE}(?:,${VALUE})*)(?=$|\s)`,
    `"(?<phrase>[^"]*)"`,
    String.raw`(?<word>[^\s"]+)`,
  ].join('|'),
  'gu',
);

/** Parses what was typed after `/learn`. Unknown keys, and quoted values alone, are words.
 *  @example parseLearn('docker type:video -windows')
 *  // words 'docker', filters [{ key: 'type', values: ['video'] }], excluded ['windows'] */
export function parseLearn(typed: string): TypedSearch {
  const words: string[] = [];
  const filters: TypedFilter[] = [];
  const phrases: string[] = [];
  const unknown: UnknownFilter[] = [];
  const excluded: string[] = [];
  for (const { 0: piece, groups = {} } of normaliseTyped(typed).matchAll(pieces)) {
    const { notPhrase, notWord, key, values, phrase, word } = groups;
    const filterKey = key === undefined ? undefined : findLearnKey(key);
    const given = values === undefined ? [] : readValues(values);
    const text = (phrase ?? withoutDashes(piece).replaceAll('"', '')).trim();
    const unwanted = notPhrase ?? notWord;
    if (unwanted !== undefined) excluded.push(unwanted.trim());
    else if (filterKey !== undefined && given.length > 0) filters.push({ key: filterKey, values: given });
    else if (word !== undefined && PRICE.test(foldText(word)))
      filters.push({ key: 'price', values: [word.replace(/s$/i, '')] });
    else words.push(text);
    if (phrase !== undefined && text.includes(' ')) phrases.push(text);
    if (key !== undefined && filterKey === undefined && !isAddress(values ?? ''))
      unknown.push({ text, key, values: given });
  }
  return {
    words: words.filter((each) => each !== '').join(' '),
    filters,
    phrases,
    unknown,
    excluded: excluded.filter((each) => each !== ''),
  };
}

/** The part after `https:`. */
const isAddress = (values: string): boolean => values.startsWith('//');

export const typedKeys: readonly string[] = Object.keys(keys);

/** Not from the table's prototype: `constructor:` is not a key. */
export function findLearnKey(text: string): TypedKey | undefined {
  const folded = foldText(text);
  return Object.hasOwn(keys, folded) ? keys[folded] : undefined;
}

function readValues(text: string): string[] {
  return Array.from(text.matchAll(new RegExp(VALUE, 'gu')), ([value]) => value.replaceAll('"', '').trim()).filter(
    (value) => value !== '',
  );
}

/** A dash between blanks is punctuation, one in a word belongs to it. */
const withoutDashes = (text: string): string => text.replace(/^-+/, '');

/** `30`, `30min`, `1h`, `1h30`, `1.5h`: minutes, at least 1; null for anything else. */
export function readLearnMinutes(text: string): number | null {
  const folded = foldText(text).replace(/\s+/g, '');
  const [, minutes] = /^(\d{1,6})(?:m|mn|min|mins|minutes?)?$/.exec(folded) ?? [];
  if (minutes !== undefined) return Number(minutes) || null;
  const [, hours, rest = '0'] =
    /^(\d{1,4}(?:\.\d{1,2})?)(?:h|hrs?|hours?|heures?)(\d{1,2})?(?:m|mn|min)?$/.exec(folded) ?? [];
  return hours === undefined ? null : Math.round(Number(hours) * 60) + Number(rest) || null;
}

/** A term as it is typed to search for it: each word that would be read as a filter or as excluded
 *  is in quotation marks. Not several together, which would be searched for as a phrase.
 *  @example quoteLearnTerm('free software') // '"free" software' */
export function quoteLearnTerm(label: string): string {
  return label
    .replace(/["“”„‟«»＂]/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => (isPlain(word) ? word : `"${escapeMrkdwn(word)}"`))
    .join(' ');
}

function isPlain(word: string): boolean {
  const { words, unknown } = parseLearn(word);
  return words === word && unknown.length === 0;
}
