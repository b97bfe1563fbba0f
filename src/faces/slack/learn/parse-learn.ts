import { parseTypedQuery, splitTypedQuery, type TypedQuery } from '#domain/query-intent/query-grammar';
import { escapeMrkdwn, normaliseTyped } from '../blocks/text.ts';

/** Reads what was typed after `/learn`, as Slack sends it. */
export const parseLearn = (typed: string): TypedQuery => parseTypedQuery(normaliseTyped(typed));

/** What was typed, as a sentence to repeat: without filters that have a key, and excluded words. */
export const readLearnSentence = (typed: string): string =>
  splitTypedQuery(normaliseTyped(typed))
    .flatMap(({ kind, text }) => (kind === 'filter' || kind === 'excluded' || text === '' ? [] : [text]))
    .join(' ');

/** Puts each word that would be read as a filter or as excluded in quotation marks, one by one:
 *  several together would be a phrase.
 *  @example quoteLearnTerm('free software') // '"free" software' */
export function quoteLearnTerm(label: string): string {
  const words = label
    .replace(/["“”„‟«»＂]/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '');
  // `in English` is a filter only together.
  const isLanguage = parseLearn(words.join(' ')).filters.some(({ key }) => key === 'lang');
  return words
    .map((word) => (isPlain(word) && !(isLanguage && /^(?:in|en|auf)$/i.test(word)) ? word : `"${escapeMrkdwn(word)}"`))
    .join(' ');
}

function isPlain(word: string): boolean {
  const { words, unknownFilters } = parseLearn(word);
  return words === word && unknownFilters.length === 0;
}
