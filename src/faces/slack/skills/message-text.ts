import { normalise } from '../typed-text.ts';

const CODE = /```.*?(?:```|$)|`[^`\n]*`/gs;
/** People, conversations, groups, and those who are called: nobody speaks of them as skills. */
const MENTION = /<[@#!][^<>]*>/g;
const LINK = /<(?:https?|mailto|tel|slack):[^<>|]*(?:\|([^<>]*))?>/gi;
const ADDRESS = /\b(?:https?:\/\/|www\.)\S+|[^\s@]{1,64}@[^\s@]+\.[^\s@]+/gi;
const EMOJI = /:[\p{L}\p{N}_+'-]+:/gu;
/** Around words, and before quotations and points of lists. */
const MARKS = /(?<![\p{L}\p{N}*_~])[*_~]+(?=\S)|(?<=[^\s*_~])[*_~]+(?![\p{L}\p{N}])|^[^\S\n]*(?:&gt;)+/gmu;

/** What a message says, without code, mentions, links and marks. A link leaves its words, where they are no address.
 *  @param text as Slack sends it: mrkdwn, escaped */
export function messageText(text: string): string {
  const said = text
    .replace(CODE, ' ')
    .replace(MENTION, ' ')
    .replace(LINK, (_, words: string | undefined) => ` ${words ?? ''} `)
    .replace(EMOJI, ' ')
    .replace(MARKS, ' ');
  return normalise(said).replace(ADDRESS, ' ').replace(/\s+/g, ' ').trim();
}
