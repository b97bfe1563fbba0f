import { MAX_WORDS_LENGTH } from '#domain/learning-object-query';
import { actions, button, type Message, section } from '../blocks/block-kit.ts';
import { cutText } from '../blocks/text.ts';
import type { SlackFaceDeps } from '../deps.ts';
import type { ShortcutListener, SlackContext, SlackMessage } from '../listener.ts';
import type { SearchState } from '../search-modal/search-state.ts';
import { findShareTarget, type ShareTarget } from '../share.ts';
import { normaliseTyped } from '../typed-text.ts';
import { showWaitingModal } from '../waiting-modal.ts';
import type { Skills } from './show-skills.ts';

/** "Find learning for this" in the menu of a message. It opens a modal, which also works in threads, where commands do not. */
export function findInMessageListener(
  deps: Pick<SlackFaceDeps, 'keptStates'>,
  skills: Skills,
): ShortcutListener {
  return {
    kind: 'shortcut',
    callbackId: 'find_learning',
    async handle(context, source) {
      const { t } = await context.words();
      const parts = { title: t('slackSkills.message.title'), callbackId: 'skills_message' };
      return showWaitingModal(context, parts, () => findInMessage({ ...deps, skills }, context, source));
    },
  };
}

interface FindingDeps extends Pick<SlackFaceDeps, 'keptStates'> {
  readonly skills: Skills;
}

/** The skills of a message and what to learn them with, to be shared to its conversation and thread. Where there is nothing to
 *  read or nothing is recognised it says so, and offers the search form. Errors: those of `Discovery`. */
export async function findInMessage(
  deps: FindingDeps,
  context: SlackContext,
  source: SlackMessage | null,
): Promise<Message> {
  const text = readMessageText(source?.text ?? '');
  const here = findShareTarget(context);
  const shareTo = here === null ? null : { ...here, threadTs: source?.threadTs ?? null };
  if (text === '') return byHand(deps, context, { text, shareTo, key: 'slackSkills.message.empty' });
  const found = await deps.skills.readText(context, text, shareTo);
  return found ?? byHand(deps, context, { text, shareTo, key: 'slackSkills.message.nothing' });
}

interface ByHand {
  readonly text: string;
  readonly shareTo: ShareTarget | null;
  /** Of what is said. */
  readonly key: string;
}

async function byHand(
  { keptStates }: FindingDeps,
  context: SlackContext,
  { text, shareTo, key }: ByHand,
): Promise<Message> {
  const { t } = await context.words();
  const state: SearchState = {
    kind: 'search',
    words: cutText(text, MAX_WORDS_LENGTH),
    choices: null,
    shareTo,
  };
  const value = await keptStates.keep(context.owner, state);
  const search = button({ actionId: 'search_open', text: t('slackSkills.message.byHand'), value });
  return { text: t(key), blocks: [section(t(key)), actions([search])] };
}

const CODE = /```.*?(?:```|$)|`[^`\n]*`/gs;
/** Mentions of people, conversations and groups: none of them is a skill. */
const MENTION = /<[@#!][^<>]*>/g;
const LINK = /<(?:https?|mailto|tel|slack):[^<>|]*(?:\|([^<>]*))?>/gi;
const ADDRESS = /\b(?:https?:\/\/|www\.)\S+|[^\s@]{1,64}@[^\s@]+\.[^\s@]+/gi;
const EMOJI = /:[\p{L}\p{N}_+'-]+:/gu;
/** Around words, and before quotations and points of lists. */
const MARKS = /(?<![\p{L}\p{N}*_~])[*_~]+(?=\S)|(?<=[^\s*_~])[*_~]+(?![\p{L}\p{N}])|^[^\S\n]*(?:&gt;)+/gmu;

/** What a message says, without code, mentions, links and marks. A link leaves its words, where they are no address.
 *  @param text as Slack sends it: mrkdwn, escaped */
export function readMessageText(text: string): string {
  const said = text
    .replace(CODE, ' ')
    .replace(MENTION, ' ')
    .replace(LINK, (_, words: string | undefined) => ` ${words ?? ''} `)
    .replace(EMOJI, ' ')
    .replace(MARKS, ' ');
  return normaliseTyped(said).replace(ADDRESS, ' ').replace(/\s+/g, ' ').trim();
}
