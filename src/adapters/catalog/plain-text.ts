import { createHash } from 'node:crypto';
import { cleanText } from '#domain/text';
import { findWebAddressProblem, showWebAddress } from '#domain/web-address';
import { AppError } from '#errors';
import { readMarkup } from './markup.ts';

/** More characters than any displayed text has. */
const MAX_MARKUP = 200_000;

const hiddenTags = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'object', 'svg', 'head']);
const inlineTags = new Set('a abbr b code em i mark q s small span strong sub sup u'.split(' '));

/** Makes one line; unpaired surrogates become U+FFFD. */
export const cleanLine = (text: string): string =>
  cleanText(text.slice(0, MAX_MARKUP).replace(/\p{Cs}/gu, '\ufffd')).replace(/\p{Z}+/gu, ' ');

/** The text that a browser shows of HTML, on one line. Of unreadable markup, only the beginning.
 *  @example stripTextMarkup('<p>One<br>two &amp; three</p>') // 'One two & three' */
export function stripTextMarkup(html: string): string {
  const texts: string[] = [];
  let hidden = 0;
  const handler = {
    onopentagname(name: string) {
      if (hiddenTags.has(name)) hidden++;
      if (!inlineTags.has(name)) texts.push(' ');
    },
    onclosetag(name: string) {
      if (hiddenTags.has(name)) hidden--;
      if (!inlineTags.has(name)) texts.push(' ');
    },
    ontext(text: string) {
      if (hidden === 0) texts.push(text);
    },
  };
  try {
    readMarkup(html.slice(0, MAX_MARKUP), handler, { place: 'The text' });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
  return cleanLine(texts.join(''));
}

/** Makes one line of a title, which may have markup, or only look like it: `List<String>`.
 *  @example cleanTitle('Using <b>maps</b> &amp; lists') // 'Using maps & lists' */
export function cleanTitle(title: string): string {
  const isMarkup = /<\/[a-z]+\s*>|<br\b|&(?:#\d+|#x[\da-f]+|[a-z]{2,8});/i.test(title.slice(0, MAX_MARKUP));
  return isMarkup ? stripTextMarkup(title) : cleanLine(title);
}

/** Cuts at the end of a word, with an ellipsis, to at most `max` UTF-16 units.
 *  @example cutTextAtWord('Learn Docker step by step', 16) // 'Learn Docker…' */
export function cutTextAtWord(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max);
  const end = head.slice(0, -1).search(/\s\S*$/);
  // A very long word is cut, but not within a character.
  const beginning = end > max / 2 ? head.slice(0, end) : head.slice(0, -1).replace(/[\ud800-\udbff]$/, '');
  // Limited, so that a long row of such signs is not scanned again for each of them.
  return `${beginning.replace(/[\s,;:–—-]{1,20}$/, '')}…`;
}

const MAX_SHOWN = 60;

/** Says what is wrong with an address, as the rest of a sentence about an object. */
export function explainAddressText(text: string): string {
  const hasLogin = findWebAddressProblem(text) === 'addressWithLogin';
  const displayText = cutTextAtWord(cleanLine(hasLogin ? showWebAddress(text) : text), MAX_SHOWN);
  if (displayText === '') return 'has no address. Give one that begins with https';
  return hasLogin
    ? `has the address ${displayText} with a user name or password in it. Give it without`
    : `has the address ${displayText}, which cannot be opened in a browser. Give one that begins with https`;
}

/** Joins lower-case words by hyphens, and spells out signs that distinguish names: `C++`, `C#`,
 *  `.NET`. Empty without a Latin letter or digit.
 *  @example slugifyText('C++ & C#') // 'c-plus-plus-and-c-sharp' */
export function slugifyText(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\+/g, ' plus ')
    .replace(/#/g, ' sharp ')
    .replace(/&/g, ' and ')
    .replace(/(^|\s)\.(?=\w)/g, '$1 dot ')
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

const MAX_SLUG = 60;

/** Cuts a slug to 60 characters; a hash of the whole then makes it unique. */
export function shortenSlug(slug: string): string {
  if (slug.length <= MAX_SLUG) return slug.replace(/-+$/, '');
  return `${slug.slice(0, MAX_SLUG - 9).replace(/-+$/, '')}-${hashText(slug)}`;
}

/** Eight hexadecimal digits. */
export const hashText = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);
