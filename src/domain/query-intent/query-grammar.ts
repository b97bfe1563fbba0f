/** The grammar of what people type into a search, the same wherever they type it: words,
 *  `"a phrase"`, `-word`, `key:value,"other value"`, and a language as in `in English`. */

import { foldText } from '../text.ts';
import { findLanguageToLearn } from './language-learning.ts';

/** Keys of filters; `has` filters by marks, such as captions. */
export type FilterKey = NamedFilterKey | 'max' | 'min';
export type NamedFilterKey = 'type' | 'lang' | 'level' | 'provider' | 'bloom' | 'has' | 'since' | 'sort' | 'price';

export interface TypedFilter {
  readonly key: FilterKey;
  /** Values as typed, without quotation marks; at least one, none empty. */
  readonly values: readonly string[];
}

export interface UnknownFilter {
  /** The text among the words: `lnag:fr`. */
  readonly text: string;
  readonly key: string;
  readonly values: readonly string[];
}

/** A part of typed text; `text` is the part as words of a search. */
type QueryPiece = { readonly typed: string; readonly text: string } & (
  | { readonly kind: 'word' | 'phrase' | 'excluded' }
  | { readonly kind: 'price' | 'filter' | 'language'; readonly filter: TypedFilter }
  | { readonly kind: 'unknown'; readonly unknownFilter: UnknownFilter }
);

export interface TypedQuery {
  /** Words to search for, with the phrases; may be empty. */
  readonly words: string;
  readonly filters: readonly TypedFilter[];
  /** Several words in quotation marks; a single word is not read as a filter. */
  readonly phrases: readonly string[];
  /** Parts that look like a filter but are none; they are among the words. */
  readonly unknownFilters: readonly UnknownFilter[];
  readonly excluded: readonly string[];
}

/** Folded names of the keys in the languages of the interface. */
const keyNames: Readonly<Record<FilterKey, string>> = {
  type: 'type typ tipo',
  lang: 'lang language langue sprache idioma',
  level: 'level niveau nivel',
  provider: 'provider fournisseur anbieter proveedor',
  bloom: 'bloom',
  has: 'has license licence lizenz licencia',
  since: 'since depuis seit desde',
  sort: 'sort tri sortierung orden',
  price: 'price prix preis precio free gratuit',
  max: 'max',
  min: 'min',
};
const keys = new Map(
  Object.entries(keyNames).flatMap(([key, names]) => names.split(' ').map((name) => [name, key as FilterKey] as const)),
);

/** Words that name a price without a key. */
const FREE = /^(?:free|gratuite?s?|kostenlos(?:e[nrs]?)?|gratis|gratuit[oa]s?)$/;
const PAID = /^(?:paid|payante?s?|kostenpflichtig(?:e[nrs]?)?)$/;
/** Prepositions before the name of a language, folded. */
const LANGUAGE_PREPOSITION = /^(?:in|en|auf)$/;
const DANGLING = /(?:[\s,;]+(?:and|et|und|y|e))?[\s,;]*$/u;
const VALUE = String.raw`(?:"[^"]*"|[^\s",]+)`;
/** Matches in this order: `-word` or `-"a phrase"`, with any number of dashes;
 *  `key:value,"other value"`; `"a phrase"`, also after a letter as in `l'"école"`; a word. An
 *  unpaired quotation mark is skipped. */
const pieces = new RegExp(
  [
    String.raw`(?<=^|\s)-+(?:"(?<notPhrase>[^"]*)"|(?<notWord>[\p{L}\p{N}][^\s"]*))`,
    String.raw`(?<=^|\s)(?<key>[\p{L}\p{M}]+):(?<values>${VALUE}(?:,${VALUE})*)(?=$|\s)`,
    `"(?<phrase>[^"]*)"`,
    String.raw`(?<word>[^\s"]+)`,
  ].join('|'),
  'gu',
);

/** Replaces typographic quotation marks, dashes and colons by those of a keyboard.
 *  @example straightenQuotationMarks('“data” – more') // '"data" - more' */
export function straightenQuotationMarks(text: string): string {
  return text
    .replace(/[：﹕]/g, ':')
    .replace(/[“”„‟«»＂]/g, '"')
    .replace(/[‘’‚‛]/g, "'")
    .replace(/—/g, '--')
    .replace(/[–‐‑−]/g, '-');
}

/** Reads typed text. Unknown keys, and quoted values alone, are words.
 *  @param text with plain marks, see `straightenQuotationMarks`
 *  @example parseTypedQuery('docker type:video -windows')
 *  // words 'docker', filters [{ key: 'type', values: ['video'] }], excluded ['windows'] */
export function parseTypedQuery(text: string): TypedQuery {
  const parts = splitTypedQuery(text);
  const textsOf = (...kinds: readonly QueryPiece['kind'][]) =>
    parts.filter((part) => kinds.includes(part.kind) && part.text !== '').map((part) => part.text);
  return {
    words: joinQueryWords(parts),
    filters: parts.flatMap((part) => ('filter' in part ? [part.filter] : [])),
    phrases: textsOf('phrase').filter((phrase) => phrase.includes(' ')),
    unknownFilters: parts.flatMap((part) => ('unknownFilter' in part ? [part.unknownFilter] : [])),
    excluded: textsOf('excluded'),
  };
}

/** Splits typed text into pieces, in order. */
export function splitTypedQuery(text: string): QueryPiece[] {
  const parts = Array.from(text.matchAll(pieces), ({ 0: typed, groups = {} }) => toQueryPiece(typed, groups));
  const read = parts.flatMap((part, place) => readQueryLanguage(part, parts[place - 1], parts[place + 1]));
  // A language alone is what somebody wants to learn.
  return read.some(({ kind }) => kind === 'word' || kind === 'phrase') ? read : parts;
}

function toQueryPiece(typed: string, groups: Readonly<Record<string, string | undefined>>): QueryPiece {
  const { notPhrase, notWord, key, values, phrase, word } = groups;
  const unwanted = notPhrase ?? notWord;
  if (unwanted !== undefined) return { kind: 'excluded', typed, text: unwanted.trim() };
  // A dash between blanks is punctuation, one in a word belongs to it.
  const text = (phrase ?? typed.replace(/^-+/, '').replaceAll('"', '')).trim();
  if (phrase !== undefined) return { kind: 'phrase', typed, text };
  const price = word === undefined ? undefined : findQueryPrice(foldText(word));
  if (price !== undefined) return { kind: 'price', typed, text, filter: { key: 'price', values: [price] } };
  const filterKey = key === undefined ? undefined : findQueryFilterKey(key);
  const given = Array.from((values ?? '').matchAll(new RegExp(VALUE, 'gu')), ([value]) =>
    value.replaceAll('"', '').trim(),
  ).filter((value) => value !== '');
  if (filterKey !== undefined && given.length > 0)
    return { kind: 'filter', typed, text, filter: { key: filterKey, values: given } };
  // The part after `https:`.
  if (key === undefined || filterKey !== undefined || values?.startsWith('//')) return { kind: 'word', typed, text };
  return { kind: 'unknown', typed, text, unknownFilter: { text, key, values: given } };
}

function findQueryPrice(folded: string): 'free' | 'paid' | undefined {
  if (FREE.test(folded)) return 'free';
  return PAID.test(folded) ? 'paid' : undefined;
}

/** Turns `in English` into one piece: the preposition gives none, the language gives it. */
function readQueryLanguage(
  part: QueryPiece,
  before: QueryPiece | undefined,
  after: QueryPiece | undefined,
): QueryPiece[] {
  if (isQueryLanguage(part, after)) return [];
  if (!isQueryLanguage(before, part)) return [part];
  const code = findLanguageToLearn(foldText(dropQueryMarks(part.text))) ?? '';
  const typed = `${before?.typed} ${part.typed}`;
  return [{ kind: 'language', typed, text: typed, filter: { key: 'lang', values: [code] } }];
}

const isQueryLanguage = (first: QueryPiece | undefined, second: QueryPiece | undefined): boolean =>
  first?.kind === 'word' &&
  second?.kind === 'word' &&
  LANGUAGE_PREPOSITION.test(foldText(first.text)) &&
  findLanguageToLearn(foldText(dropQueryMarks(second.text))) !== null;

const dropQueryMarks = (text: string): string => text.replace(/[,;.!?]+$/, '');

/** Joins the words between filters, without a conjunction or comma before a price or language. */
function joinQueryWords(parts: readonly QueryPiece[]): string {
  let words = '';
  for (const { kind, text } of parts) {
    if (kind === 'price' || kind === 'language') words = words.replace(DANGLING, '');
    else if (kind !== 'filter' && kind !== 'excluded' && text !== '') words += words === '' ? text : ` ${text}`;
  }
  return words;
}

export const filterKeys: readonly string[] = [...keys.keys()];

export const findQueryFilterKey = (text: string): FilterKey | undefined => keys.get(foldText(text));

/** Reads `30`, `30min`, `1h`, `1h30` or `1.5h` as minutes, at least 1; null for anything else. */
export function readQueryMinutes(text: string): number | null {
  const folded = foldText(text).replace(/\s+/g, '');
  const [, minutes] = /^(\d{1,6})(?:m|mn|min|mins|minutes?|minuten|minutos?)?$/.exec(folded) ?? [];
  if (minutes !== undefined) return Number(minutes) || null;
  const [, hours, minutesAfter = '0'] =
    /^(\d{1,4}(?:\.\d{1,2})?)(?:h|hrs?|hours?|heures?|stunden?|horas?)(\d{1,2})?(?:m|mn|min)?$/.exec(folded) ?? [];
  return hours === undefined ? null : Math.round(Number(hours) * 60) + Number(minutesAfter) || null;
}
