import { MAX_WORDS_LENGTH } from '#domain/learning-object-query';
import { toOneLine } from '#domain/text';
import type { ObjectWords } from '#faces/object-view/facts';
import type { Message, ModalView } from '../blocks/block-kit.ts';
import { actions, button, header, input, limits, plainText, sectionBlock, smallText } from '../blocks/block-kit.ts';
import { drawModal, noticeMessage, showWaitingModal, waitingModal } from '../blocks/messages.ts';
import {
  asksForHelp,
  cutSlackText,
  dropEmoji,
  escapeMrkdwn,
  normaliseTyped,
  toBold,
  unescapeSlack,
} from '../blocks/text.ts';
import type { SearchState } from '../learn/learn-state.ts';
import { quoteLearnTerm } from '../learn/understand.ts';
import type { Listener, Reply, ShareTarget, SlackContext, SlackMessage, SlackView, ViewAnswer } from '../listener.ts';
import { on, readListenerField, refuseListenerField } from '../listener.ts';
import { findShareTarget, readStateButton, readStateMenuChoice, replyToShare } from '../share.ts';
import { showSimilarSkills, showSkills, showSkillsAgain, showSkillsOfText } from './show-skills.ts';
import { type ChosenTerm, readChosenSkill, readSkillsState, termChoices } from './skills-message.ts';

const ASK_CALLBACK = 'skills_ask_form';

export const skillsListeners: readonly Listener[] = [
  on('command', '/skills', answerSkills),
  on('action', 'skills_learn', (context, { value }) => learnSkillTerm(context, value)),
  on('action', 'skills_menu', (context, { value }) => chooseSkillTermAction(context, value)),
  on('action', 'skills_try*', (context, { value }) => trySkillTerm(context, value)),
  on('action', 'skills_group*', (context, { value }) => {
    const { token, number } = readStateButton(value);
    return showSkillsAgain(context, token, number);
  }),
  on('action', 'skills_back', (context, { value }) => showSkillsAgain(context, value, null)),
  on('action', 'skills_ask', (context, { value }) => openSkillsAskForm(context, value)),
  on('view', ASK_CALLBACK, submitSkillsAskForm),
  on('shortcut', 'find_learning', openMessageSkills),
];

/** `/skills data analyst`, `/skills <a long text>`, `/skills`, `/skills help`. */
async function answerSkills(context: SlackContext, typed: string): Promise<Reply> {
  const text = dropEmoji(unescapeSlack(typed)).trim();
  if (text === '') return { kind: 'modal', view: await drawSkillsAskForm(context) };
  if (asksForHelp(text)) return { kind: 'message', message: drawSkillsHelp(await context.words()) };
  return { kind: 'message', message: await showSkills(context, text) };
}

function drawSkillsHelp({ t }: ObjectWords): Message {
  const title = t('slackSkills.help.title');
  const uses = ['words', 'text', 'modal', 'shortcut', 'learn'].map((use) => `• ${t(`slackSkills.help.${use}`)}`);
  return {
    text: title,
    blocks: [header(title), sectionBlock(uses.join('\n')), smallText(t('slackSkills.help.private'))],
  };
}

async function learnSkillTerm(context: SlackContext, value: string): Promise<Reply> {
  const { label, state } = await readChosenSkill(context, value);
  const message = await context.learn.search(context, quoteLearnTerm(label), state.shareTo);
  return { kind: 'message', message };
}

/** Skills for a related term, in place, with a way back. Errors: SLACK_STATE_OVER. */
async function trySkillTerm(context: SlackContext, value: string): Promise<Reply> {
  const { label, token, state } = await readChosenSkill(context, value);
  const options = { shareTo: state.shareTo, back: token };
  return { kind: 'replace', message: await showSimilarSkills(context, label, options) };
}

/** The menu of a term. Errors: PARAMETERS_INVALID. */
async function chooseSkillTermAction(context: SlackContext, menuValue: string): Promise<Reply> {
  const { choice, value } = readStateMenuChoice(menuValue, termChoices);
  if (choice === 'learn') return learnSkillTerm(context, value);
  if (choice === 'similar') return trySkillTerm(context, value);
  return choice === 'save' ? saveSkillTerm(context, value) : postSkillTerm(context, value);
}

/** Saves a term as a search on Home. Errors: SLACK_STATE_OVER. */
async function saveSkillTerm(context: SlackContext, value: string): Promise<Reply> {
  const { label } = await readChosenSkill(context, value);
  const isSaved = await context.people.saveSearch(context.owner, quoteLearnTerm(label));
  const { t } = await context.words();
  const key = isSaved ? 'slackSkills.saved' : 'slackSkills.savedEnough';
  return { kind: 'message', message: noticeMessage(t(key, { term: toBold(escapeMrkdwn(label)) })) };
}

/** Posts a term where it was asked for, once. Errors: SLACK_STATE_OVER, and of the posting. */
async function postSkillTerm(context: SlackContext, value: string): Promise<Reply> {
  const { state, label, taxonomy } = await readChosenSkill(context, value);
  const words = await context.words();
  return replyToShare(context, {
    what: `term ${JSON.stringify([taxonomy, label])}`,
    message: drawSharedSkillTerm({ label, taxonomy }, context.userId, words),
    shareTo: state.shareTo,
    say: (t, outcome) => t(`slackSkills.share.${outcome}`),
  });
}

/** What everyone sees. Other people lack the state of buttons, so the command is named instead. */
function drawSharedSkillTerm(
  { label, taxonomy }: Pick<ChosenTerm, 'label' | 'taxonomy'>,
  userId: string,
  { t }: ObjectWords,
): Message {
  const term = escapeMrkdwn(label);
  const values = { person: `<@${userId}>`, term: toBold(term) };
  const text =
    taxonomy === null
      ? t('slackSkills.shared.term', values)
      : t('slackSkills.shared.termOf', { ...values, taxonomy: escapeMrkdwn(taxonomy) });
  const command = `\`/learn ${term.replaceAll('`', "'")}\``;
  return { text, blocks: [sectionBlock(text), smallText(t('slackSkills.shared.how', { command }))] };
}

const FIELD = 'skills_ask_text';

/** Slack takes no more in one field. */
const MAX_PASTED_LENGTH = 3_000;

async function openSkillsAskForm(context: SlackContext, token: string): Promise<Reply> {
  const { from, asked, shareTo } = await readSkillsState(context, token);
  const options = { prefilled: from === 'words' ? asked : '', shareTo: shareTo ?? findShareTarget(context) };
  return { kind: 'modal', view: await drawSkillsAskForm(context, options) };
}

/** Finds skills for what was typed or pasted: they take the place of the form. */
async function submitSkillsAskForm(context: SlackContext, view: SlackView): Promise<ViewAnswer> {
  const words = await context.words();
  const text = readListenerField(view.values, FIELD)?.value?.trim() ?? '';
  if (text === '') return refuseListenerField(FIELD, words.t('slackSkills.ask.empty'));
  const title = words.t('slackSkills.ask.title');
  return {
    show: { kind: 'update', view: waitingModal({ title, callbackId: 'skills_found' }, words) },
    isRepeatable: true,
    afterwards: async () => {
      const shareTo = await context.savedStates.find<ShareTarget>(context.owner, view.privateMetadata);
      return { kind: 'replace', message: await showSkills(context, text, shareTo) };
    },
  };
}

async function drawSkillsAskForm(
  context: SlackContext,
  { prefilled = '', shareTo = findShareTarget(context) }: { prefilled?: string; shareTo?: ShareTarget | null } = {},
): Promise<ModalView> {
  const privateMetadata = shareTo === null ? '' : await context.savedStates.keep(context.owner, shareTo);
  const { t } = await context.words();
  const initial = cutSlackText(prefilled, MAX_PASTED_LENGTH);
  const field = input({
    id: FIELD,
    label: t('slackSkills.ask.label'),
    hint: t('slackSkills.ask.hint'),
    element: {
      type: 'plain_text_input',
      multiline: true,
      max_length: MAX_PASTED_LENGTH,
      focus_on_load: true,
      placeholder: plainText(t('slackSkills.ask.placeholder'), limits.placeholder),
      ...(initial !== '' && { initial_value: initial }),
    },
  });
  return drawModal({
    title: t('slackSkills.ask.title'),
    submit: t('slackSkills.ask.submit'),
    close: t('slackSkills.close'),
    callbackId: ASK_CALLBACK,
    privateMetadata,
    blocks: [smallText(t('slackSkills.ask.intro')), field],
  });
}

/** "Find learning for this" in the menu of a message opens a modal, also within threads. */
async function openMessageSkills(context: SlackContext, source: SlackMessage | null): Promise<Reply> {
  const { t } = await context.words();
  const parts = { title: t('slackSkills.message.title'), callbackId: 'skills_message' };
  return showWaitingModal(context, parts, () => findMessageSkills(context, source));
}

/** Skills and objects for a message, or the search form for none. Errors: those of `Discovery`. */
export async function findMessageSkills(context: SlackContext, source: SlackMessage | null): Promise<Message> {
  const text = readSkillsMessageText(source?.text ?? '');
  const target = findShareTarget(context);
  const shareTo = target === null ? null : { ...target, threadTs: source?.threadTs ?? null };
  const result = text === '' ? null : await showSkillsOfText(context, text, shareTo);
  if (result !== null) return result;
  // A button for the search form, which begins with the text of the message.
  const { t } = await context.words();
  const words = cutSlackText(text, MAX_WORDS_LENGTH);
  const state: SearchState = { kind: 'search', words, choices: null, shareTo };
  const value = await context.savedStates.keep(context.owner, state);
  const search = button({ actionId: 'search_open', text: t('slackSkills.message.byHand'), value });
  const problem = t(text === '' ? 'slackSkills.message.empty' : 'slackSkills.message.nothing');
  return { text: problem, blocks: [sectionBlock(problem), actions([search])] };
}

const CODE = /```.*?(?:```|$)|`[^`\n]*`/gs;
const MENTION = /<[@#!][^<>]*>/g;
const LINK = /<(?:https?|mailto|tel|slack):[^<>|]*(?:\|([^<>]*))?>/gi;
const ADDRESS = /\b(?:https?:\/\/|www\.)\S+|[^\s@]{1,64}@[^\s@]+\.[^\s@]+/gi;
/** Around words, and before quotations and points of lists. */
const MARKS = /(?<![\p{L}\p{N}*_~])[*_~]+(?=\S)|(?<=[^\s*_~])[*_~]+(?![\p{L}\p{N}])|^[^\S\n]*(?:&gt;)+/gmu;

/** The words of a message (mrkdwn), without code, mentions and addresses, but with labels. */
export function readSkillsMessageText(text: string): string {
  const words = text
    .replace(CODE, ' ')
    .replace(MENTION, ' ')
    .replace(LINK, (_, label: string | undefined) => ` ${label ?? ''} `)
    .replace(MARKS, ' ');
  return toOneLine(normaliseTyped(words).replace(ADDRESS, ' '));
}
