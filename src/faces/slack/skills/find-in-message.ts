import { actions, button, type Message, section } from '../blocks/block-kit.ts';
import { cutText } from '../blocks/text.ts';
import type { SlackFaceDeps } from '../deps.ts';
import type { SlackContext, SlackMessage } from '../listener.ts';
import { MAX_WORDS_LENGTH } from '../request-limits.ts';
import type { SearchState } from '../search-modal/search-state.ts';
import { findShareTarget, type ShareTarget } from '../share.ts';
import { messageText } from './message-text.ts';
import type { Skills } from './skills.ts';

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
  const text = messageText(source?.text ?? '');
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
