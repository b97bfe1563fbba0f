import { cleanText, foldText } from '#domain/text';
import { unescapeSlack } from './blocks/text.ts';

/** `<https://…|label>`, `<@U1|ada>`, `<#C1|name>`, `<!here>`: what Slack makes of links and mentions. */
const marked = /<([^<>\s|][^<>|]*)(?:\|([^<>]*))?>/g;

/** What was typed, as it was meant: devices change quotation marks and dashes, French ones add blanks, and Slack adds markup.
 *  @example normaliseTyped('“data  analysis” – <https://example.org|here>') // '"data analysis" - here' */
export function normaliseTyped(text: string): string {
  const typed = unescapeSlack(text.replace(marked, toWords))
    .replace(/[“”„‟«»＂]/g, '"')
    .replace(/[‘’‚‛]/g, "'")
    .replace(/—/g, '--')
    .replace(/[–‐‑−]/g, '-');
  return cleanText(typed).replace(/\s+/gu, ' ');
}

/** Ids of people and conversations are not words, but their names are. */
function toWords(_: string, target: string, label: string | undefined): string {
  if (label) return label.replace(/^[@#]/, '');
  return /^[@#!]/.test(target) ? ' ' : target.replace(/^mailto:/, '');
}

const helpWords: ReadonlySet<string> = new Set(['help', 'aide', '?']);

/** Whether nothing but a word for help was typed after a command. */
export const asksForHelp = (typed: string): boolean => helpWords.has(foldText(normaliseTyped(typed)));
