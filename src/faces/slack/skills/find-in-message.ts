import { MAX_WORDS_LENGTH } from '#domain/learning-object-query';
import { actions, button, type Message, section } from '../blocks/block-kit.ts';
import { showWaitingModal } from '../blocks/messages.ts';
import { cutText, normaliseTyped } from '../blocks/text.ts';
import type { SearchState } from '../learn/learn-state.ts';
import type { Reply, SlackContext, SlackMessage } from '../listener.ts';
import { findShareTarget, type ShareTarget } from '../share.ts';
import { type SkillsDeps, showSkillsOfText } from './show-skills.ts';

/** "Find learning for this" in the menu of a message opens a modal, also within threads. */
export async function openMessageSkills(
  deps: SkillsDeps,
  context: SlackContext,
  source: SlackMessage | null,
): Promise<Reply> {
  const { t } = await context.words();
  const parts = { title: t('slackSkills.message.title'), callbackId: 'skills_message' };
  return showWaitingModal(context, parts, () => findInMessage(deps, context, source));
}

/** The skills of a message and what to learn them with, to be shared to its conversation and
 *  thread. Where there is nothing to read or nothing is recognised it says so, and offers the
 *  search form.
 *  Errors: those of `Discovery`. */
export async function findInMessage(
  deps: SkillsDeps,
  context: SlackContext,
  source: SlackMessage | null,
): Promise<Message> {
  const text = readMessageText(source?.text ?? '');
  const target = findShareTarget(context);
  const shareTo = target === null ? null : { ...target, threadTs: source?.threadTs ?? null };
  const result = text === '' ? null : await showSkillsOfText(deps, context, text, shareTo);
  if (result !== null) return result;
  const key = text === '' ? 'slackSkills.message.empty' : 'slackSkills.message.nothing';
  return offerSearch(deps, context, { text, shareTo, key });
}

interface SearchOffer {
  readonly text: string;
  readonly shareTo: ShareTarget | null;
  /** Key of the sentence above the button. */
  readonly key: string;
}

async function offerSearch(
  { savedStates }: SkillsDeps,
  context: SlackContext,
  { text, shareTo, key }: SearchOffer,
): Promise<Message> {
  const { t } = await context.words();
  const words = cutText(text, MAX_WORDS_LENGTH);
  const state: SearchState = { kind: 'search', words, choices: null, shareTo };
  const value = await savedStates.keep(context.owner, state);
  const search = button({ actionId: 'search_open', text: t('slackSkills.message.byHand'), value });
  return { text: t(key), blocks: [section(t(key)), actions([search])] };
}

const CODE = /```.*?(?:```|$)|`[^`\n]*`/gs;
const MENTION = /<[@#!][^<>]*>/g;
const LINK = /<(?:https?|mailto|tel|slack):[^<>|]*(?:\|([^<>]*))?>/gi;
const ADDRESS = /\b(?:https?:\/\/|www\.)\S+|[^\s@]{1,64}@[^\s@]+\.[^\s@]+/gi;
/** Around words, and before quotations and points of lists. */
const MARKS = /(?<![\p{L}\p{N}*_~])[*_~]+(?=\S)|(?<=[^\s*_~])[*_~]+(?![\p{L}\p{N}])|^[^\S\n]*(?:&gt;)+/gmu;

/** The words of a message (mrkdwn), without code, mentions and addresses, but with labels. */
export function readMessageText(text: string): string {
  const words = text
    .replace(CODE, ' ')
    .replace(MENTION, ' ')
    .replace(LINK, (_, label: string | undefined) => ` ${label ?? ''} `)
    .replace(MARKS, ' ');
  return normaliseTyped(words).replace(ADDRESS, ' ').replace(/\s+/g, ' ').trim();
}
