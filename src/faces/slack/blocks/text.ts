import { straightenQuotationMarks } from '#domain/query-intent/query-grammar';
import { cleanText, foldText, toOneLine } from '#domain/text';

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;' } as const;
const graphemes = new Intl.Segmenter();

/** Characters of an address within a text: ten long ones would exceed what a message may have. */
const MAX_LINKED_ADDRESS = 250;
/** Characters of the address of a button or a picture. */
const MAX_ADDRESS = 3_000;

/** Escapes text for mrkdwn, and removes control characters.
 *  @example escapeMrkdwn('<@U1> & co') // '&lt;@U1&gt; &amp; co' */
export const escapeMrkdwn = (text: string): string =>
  dropControls(text).replace(/[&<>]/g, (character) => escapes[character as keyof typeof escapes]);

/** Gives text of Slack as it was typed. */
export const unescapeSlack = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** Makes mrkdwn bold. Replaces asterisks, which would end it and cannot be escaped. */
export const toBold = (text: string): string => `*${text.replaceAll('*', '∗')}*`;

/** Cuts to `max` UTF-16 units with "…", but neither within a grapheme nor an escape.
 *  @example cutSlackText('Learn Docker', 8) // 'Learn D…' */
export function cutSlackText(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = graphemes.segment(text).containing(Math.max(max - 1, 0))?.index ?? 0;
  return `${text.slice(0, findCutBeforeEscape(text, end)).trimEnd()}…`;
}

/** Writes a title as mrkdwn, with a link to the address unless that is unusable or too long.
 *  @example linkTitle('https://example.org/', 'A|B') // '<https://example.org/|A¦B>' */
export function linkTitle(
  address: string | null | undefined,
  title: string,
  { max = 150, maxAddress = MAX_LINKED_ADDRESS } = {},
): string {
  // A bar would end the address; it cannot be escaped.
  const label = cutSlackText(escapeMrkdwn(toOneLine(title).replaceAll('|', '¦')), max) || '–';
  const href = toBlockAddress(address)?.replaceAll('|', '%7C').replaceAll('<', '%3C').replaceAll('>', '%3E');
  const written = escapeMrkdwn(href ?? '');
  return written === '' || written.length > maxAddress ? label : `<${written}|${label}>`;
}

/** Gives the address for a button or a picture; null if Slack would not take it. */
export function toBlockAddress(address: string | null | undefined, protocols = ['https:', 'http:']): string | null {
  const url = address && URL.canParse(address) ? new URL(address) : null;
  return url && protocols.includes(url.protocol) && url.href.length <= MAX_ADDRESS ? url.href : null;
}

/** Removes controls: a title that is cut within a direction override would reverse the rest. */
export const dropControls = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken away
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g, '');

function findCutBeforeEscape(text: string, end: number): number {
  const start = text.lastIndexOf('&', end - 1);
  if (start < 0 || end <= 0) return end;
  const entity = /^&(?:amp|lt|gt);/.exec(text.slice(start, start + 5))?.[0];
  return entity && start + entity.length > end ? start : end;
}

/** Links and mentions as Slack sends them: `<https://…|label>`, `<@U1|ada>`, `<!here>`. */
const markup = /<([^<>\s|][^<>|]*)(?:\|([^<>]*))?>/g;

/** `:whale:` and `:wave::skin-tone-2:`, also behind a word. */
const emoji = /(?:(?<![\p{L}\p{N}])|(?<=(?:^|\s)[\p{L}\p{N}]+)(?=:[^\s:]+:(?:\s|$))):[\p{L}\p{N}_+'-]+:/gu;

export const dropEmoji = (text: string): string => text.replace(emoji, ' ');

/** Cleans typed text of typographic quotation marks, dashes and colons, of French blanks, emoji and
 *  markup.
 *  @example normaliseTyped('“data” – <https://a.example|here>') // '"data" - here' */
export function normaliseTyped(text: string): string {
  const typed = dropEmoji(straightenQuotationMarks(unescapeSlack(text.replace(markup, splitIntoWords))));
  return cleanText(typed).replace(/\s+/gu, ' ');
}

/** Replaces a link or mention by its words: ids of people and conversations are none, names are. */
function splitIntoWords(_: string, target: string, label: string | undefined): string {
  if (label) return label.replace(/^[@#]/, '');
  return /^[@#!]/.test(target) ? ' ' : target.replace(/^mailto:/, '');
}

const helpWords: ReadonlySet<string> = new Set(['help', 'aide', '?']);

/** Whether nothing but a word for help was typed after a command. */
export const asksForHelp = (typed: string): boolean => helpWords.has(foldText(normaliseTyped(typed)));
