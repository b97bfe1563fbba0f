import { Parser } from 'htmlparser2';

/** Markup beyond this is not read: nothing that is shown is as long. */
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

/** Text of any origin on one line, without control characters and halves of characters. */
export function cleanText(text: string): string {
  return text
    .slice(0, MAX_MARKUP)
    .replace(/[\p{Cc}\p{Z}\u200b\ufeff]+/gu, ' ')
    .replace(/\p{Cs}/gu, '\ufffd')
    .trim();
}

/** What a browser would show of HTML, on one line. */
export function stripMarkup(html: string): string {
  const texts: string[] = [];
  let hidden = 0;
  const parser = new Parser(
    {
      onopentagname(name) {
        if (silent.has(name)) hidden++;
        if (!inline.has(name)) texts.push(' ');
      },
      onclosetag(name) {
        if (silent.has(name)) hidden--;
        if (!inline.has(name)) texts.push(' ');
      },
      ontext(text) {
        if (hidden === 0) texts.push(text);
      },
    },
    { decodeEntities: true },
  );
  parser.end(html.slice(0, MAX_MARKUP));
  return cleanText(texts.join(''));
}

/** A title where some write markup, and others signs that only look like it: `List<String>`. */
export function cleanTitle(title: string): string {
  const isMarkup = /<\/[a-z]+\s*>|<br\b|&(?:#\d+|#x[\da-f]+|[a-z]{2,8});/i.test(title.slice(0, MAX_MARKUP));
  return isMarkup ? stripMarkup(title) : cleanText(title);
}

/** The text, or its beginning up to a word's end and an ellipsis: at most `max` UTF-16 units. */
export function cutAtWord(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max);
  const end = head.slice(0, -1).search(/\s\S*$/);
  // Of a word without end, as much as there is room for; half a character counts as none.
  const kept = end > max / 2 ? head.slice(0, end) : head.slice(0, -1).replace(/[\ud800-\udbff]$/, '');
  // Bounded, so that a row of such signs is not gone through once for each of them.
  return `${kept.replace(/[\s,;:–—-]{1,20}$/, '')}…`;
}
