import { AppError } from '#errors';
import type { ObjectWords } from '#faces/object-view/facts';
import { type Message, section, smallText } from '../blocks/block-kit.ts';
import { noticeMessage } from '../blocks/messages.ts';
import { escapeMrkdwn, toBold } from '../blocks/text.ts';
import type { SlackFaceDeps } from '../deps.ts';
import { readKeptMenuChoice } from '../kept-state.ts';
import type { Learn } from '../learn/learn.ts';
import { quoteLearnTerm } from '../learn/parse-learn.ts';
import type { ActionListener, SlackContext, SlackReply } from '../listener.ts';
import { shareOnce } from '../share.ts';
import { termChoices } from './found-blocks.ts';
import type { Skills } from './show-skills.ts';
import { type ChosenTerm, readChosenSkill } from './skills-state.ts';

/** Learning objects for a term. */
export function skillsLearnListener(
  deps: Pick<SlackFaceDeps, 'keptStates'>,
  learn: Pick<Learn, 'search'>,
): ActionListener {
  return {
    kind: 'action',
    actionId: 'skills_learn',
    async handle(context, { value }) {
      const { label, state } = await readChosenSkill(deps, context, value);
      const message = await learn.search(context, quoteLearnTerm(label), state.shareTo ?? undefined);
      return { kind: 'message', message };
    },
  };
}

/** Skills for what was meant, or for a related term, instead of what is shown. */
export function skillsTryListener(deps: Pick<SlackFaceDeps, 'keptStates'>, skills: Skills): ActionListener {
  return {
    kind: 'action',
    actionId: 'skills_try*',
    handle: (context, { value }) => findTermsInPlace({ ...deps, skills }, context, value),
  };
}

/** Terms like the one that a button names, where it is, with a way back.
 *  @param value of the button. Errors: SLACK_STATE_OVER, those of `Discovery`. */
export async function findTermsInPlace(
  { skills, ...deps }: Pick<SlackFaceDeps, 'keptStates'> & { readonly skills: Skills },
  context: SlackContext,
  value: string,
): Promise<SlackReply> {
  const { label, token, state } = await readChosenSkill(deps, context, value);
  const message = await skills.findLike(context, label, { shareTo: state.shareTo, back: token });
  return { kind: 'replace', message };
}

/** The menu of a term. Errors: PARAMETERS_INVALID. */
export function skillsMenuListener(
  deps: Pick<SlackFaceDeps, 'keptStates' | 'people'>,
  skills: Skills,
): ActionListener {
  return {
    kind: 'action',
    actionId: 'skills_menu',
    async handle(context, action) {
      const read = readKeptMenuChoice(action.value, termChoices);
      if (read === null)
        throw new AppError('PARAMETERS_INVALID', 'This menu has no such choice any more. Search again.');
      const { choice, value } = read;
      if (choice === 'similar') return findTermsInPlace({ ...deps, skills }, context, value);
      return choice === 'save' ? saveTerm(deps, context, value) : shareTerm(deps, context, value);
    },
  };
}

/** Keeps a term as a search, on the Home tab, until it is removed there. Errors: SLACK_STATE_OVER. */
async function saveTerm(
  deps: Pick<SlackFaceDeps, 'keptStates' | 'people'>,
  context: SlackContext,
  value: string,
): Promise<SlackReply> {
  const { label } = await readChosenSkill(deps, context, value);
  const isSaved = await deps.people.saveSearch(context.owner, quoteLearnTerm(label));
  const { t } = await context.words();
  const said = t(isSaved ? 'slackSkills.saved' : 'slackSkills.savedEnough', {
    term: toBold(escapeMrkdwn(label)),
  });
  return { kind: 'message', message: noticeMessage(said) };
}

/** Posts a term where it was asked for, once. Errors: SLACK_STATE_OVER, and of the posting. */
async function shareTerm(
  deps: Pick<SlackFaceDeps, 'keptStates'>,
  context: SlackContext,
  value: string,
): Promise<SlackReply> {
  const { state, label, taxonomy } = await readChosenSkill(deps, context, value);
  const words = await context.words();
  const outcome = await shareOnce(deps, context, {
    what: `term ${JSON.stringify([taxonomy, label])}`,
    message: sharedTerm({ label, taxonomy }, context.userId, words),
    shareTo: state.shareTo,
  });
  // In a modal nobody sees what is posted behind it.
  if (outcome === 'done' && context.view === null) return { kind: 'done' };
  return { kind: 'message', message: noticeMessage(words.t(`slackSkills.share.${outcome}`)) };
}

/** What everyone in the conversation sees: who shares which term of which taxonomy. Other people lack the state that buttons
 *  would need, so the command is named instead. */
function sharedTerm(
  { label, taxonomy }: Pick<ChosenTerm, 'label' | 'taxonomy'>,
  userId: string,
  { t }: ObjectWords,
): Message {
  const term = escapeMrkdwn(label);
  const said = { person: `<@${userId}>`, term: toBold(term) };
  const text =
    taxonomy === null
      ? t('slackSkills.shared.term', said)
      : t('slackSkills.shared.termOf', { ...said, taxonomy: escapeMrkdwn(taxonomy) });
  const command = `\`/learn ${term.replaceAll('`', "'")}\``;
  return { text, blocks: [section(text), smallText(t('slackSkills.shared.how', { command }))] };
}
