import { createHash } from 'node:crypto';
import { cleanText } from '#domain/text';
import { findWebAddressProblem, showWebAddress } from '#domain/web-address';
import { AppError } from '#errors';
import { readMarkup } from './markup.ts';

/** Markup beyond this is not read: nothing shown is that long. */
const MAX_MARKUP = 200_000;

const silent = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'object', 'svg', 'head']);
const inline = new Set([
  'a',
  'abbr',
  'b',
  'code',
  'em',
  'i',
  'mark',
  'q',
  's',
  'small',
  'span',
  'strong',
  'sub',
  'sup',
  'u',
]);

/** Text of any origin on one line; halves of characters are marked. */
export function cleanLine(text: string): string {
  return cleanText(text.slice(0, MAX_MARKUP).replace(/\p{Cs}/gu, '\ufffd')).replace(/\p{Z}+/gu, ' ');
}

/** What a browser would show of HTML, on one line; where `readMarkup` refuses it, what stands before.
 *  @example stripTextMarkup('<p>One<br>two &amp; three</p>') // 'One two & three' */
export function stripTextMarkup(html: string): string {
  const texts: string[] = [];
  let hidden = 0;
  const handler = {
    onopentagname(name: string) {
      if (silent.has(name)) hidden++;
      if (!inline.has(name)) texts.push(' ');
    },
    onclosetag(name: string) {
      if (silent.has(name)) hidden--;
      if (!inline.has(name)) texts.push(' ');
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

/** A title, in which some write markup, and others signs that only look like it: `List<String>`.
 *  @example cleanTitle('Using <b>maps</b> &amp; lists') // 'Using maps & lists' */
export function cleanTitle(title: string): string {
  const isMarkup = /<\/[a-z]+\s*>|<br\b|&(?:#\d+|#x[\da-f]+|[a-z]{2,8});/i.test(title.slice(0, MAX_MARKUP));
  return isMarkup ? stripTextMarkup(title) : cleanLine(title);
}

/** The text, or its beginning up to a word's end and an ellipsis: at most `max` UTF-16 units.
 *  @example cutTextAtWord('Learn Docker step by step', 16) // 'Learn Docker…' */
export function cutTextAtWord(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max);
  const end = head.slice(0, -1).search(/\s\S*$/);
  // An endless word is cut where the room ends, but not within a character.
  const kept = end > max / 2 ? head.slice(0, end) : head.slice(0, -1).replace(/[\ud800-\udbff]$/, '');
  // Bounded, so that a long row of such signs is not scanned again for each of them.
  return `${kept.replace(/[\s,;:–—-]{1,20}$/, '')}…`;
}

const MAX_SHOWN = 60;

/** What is wrong with a text that is not an address. */
export function explainAddressText(text: string): string {
  const isWithLogin = findWebAddressProblem(text) === 'addressWithLogin';
  const shown = cutTextAtWord(cleanLine(isWithLogin ? showWebAddress(text) : text), MAX_SHOWN);
  if (shown === '') return 'has no address. Give one that begins with https';
  return isWithLogin
    ? `has the address ${shown} with a user name or password in it. Give it without`
    : `has the address ${shown}, which cannot be opened in a browser. Give one that begins with https`;
}

/** Lower-case words joined by hyphens. Signs that tell names apart are spelt out: `C++`, `C#`, `.NET`. Empty where there is no
 *  Latin letter and no digit.
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

const MAX_SHORT = 60;

/** At most 60 characters of a slug; where it is cut, a hash of the whole tells it from others. */
export function shortenSlug(slug: string): string {
  if (slug.length <= MAX_SHORT) return slug.replace(/-+$/, '');
  return `${slug.slice(0, MAX_SHORT - 9).replace(/-+$/, '')}-${hashText(slug)}`;
}

/** Eight characters that differ for different texts, and do not reveal them. */
export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
