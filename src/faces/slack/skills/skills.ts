import { MAX_WORDS_LENGTH } from '#domain/learning-object-query';
import { toOneLine } from '#domain/text';
import type { ObjectWords } from '#faces/object-view/facts';
import type { Message, ModalView } from '../blocks/block-kit.ts';
import { actions, button, header, input, limits, plainText, sectionBlock, smallText } from '../blocks/block-kit.ts';
import { drawModal, drawWaitingModal, noticeMessage, showWaitingModal } from '../blocks/messages.ts';
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
import { quoteTerm } from '../learn/understand.ts';
import type { Listener, Reply, ShareTarget, SlackContext, SlackMessage, SlackView, ViewAnswer } from '../listener.ts';
import { on, readField, refuseField } from '../listener.ts';
import { parseButtonValue, parseMenuChoice } from '../saved-state.ts';
import { findShareTarget, replyToShare } from '../share.ts';
import { showSimilarSkills, showSkills, showSkillsAgain, showSkillsOfText } from './show-skills.ts';
import { type ChosenTerm, getChosenSkill, getSkillsState, termChoices } from './skills-message.ts';

const ASK_CALLBACK = 'skills_ask_form';

export const skillsListeners: readonly Listener[] = [
  on('command', '/skills', answerSkills),
  on('action', 'skills_learn', (context, { value }) => searchForSkill(context, value)),
  on('action', 'skills_menu', (context, { value }) => chooseSkillAction(context, value)),
  on('action', 'skills_try*', (context, { value }) => replaceBySimilarSkills(context, value)),
  on('action', 'skills_group*', (context, { value }) => {
    const { token, number } = parseButtonValue(value);
    return showSkillsAgain(context, token, number);
  }),
  on('action', 'skills_back', (context, { value }) => showSkillsAgain(context, value, null)),
  on('action', 'skills_ask', (context, { value }) => openSkillsForm(context, value)),
  on('view', ASK_CALLBACK, submitSkillsForm),
  on('shortcut', 'find_learning', openSkillsOfMessage),
];

/** Answers `/skills data analyst`, `/skills <a long text>`, `/skills` and `/skills help`. */
async function answerSkills(context: SlackContext, typed: string): Promise<Reply> {
  const text = dropEmoji(unescapeSlack(typed)).trim();
  if (text === '') return { kind: 'modal', view: await drawSkillsForm(context) };
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

async function searchForSkill(context: SlackContext, value: string): Promise<Reply> {
  const { label, state } = await getChosenSkill(context, value);
  const message = await context.learn.search(context, quoteTerm(label), state.shareTo);
  return { kind: 'message', message };
}

/** Shows skills like a term in place, with a way back. Errors: SLACK_STATE_OVER. */
async function replaceBySimilarSkills(context: SlackContext, value: string): Promise<Reply> {
  const { label, token, state } = await getChosenSkill(context, value);
  const options = { shareTo: state.shareTo, back: token };
  return { kind: 'replace', message: await showSimilarSkills(context, label, options) };
}

/** Does what was chosen in the menu of a term. Errors: PARAMETERS_INVALID, SLACK_STATE_OVER. */
async function chooseSkillAction(context: SlackContext, menuValue: string): Promise<Reply> {
  const { choice, value } = parseMenuChoice(menuValue, termChoices);
  if (choice === 'learn') return searchForSkill(context, value);
  if (choice === 'similar') return replaceBySimilarSkills(context, value);
  return choice === 'save' ? saveSkill(context, value) : shareSkill(context, value);
}

/** Saves a term as a search on Home. Errors: SLACK_STATE_OVER. */
async function saveSkill(context: SlackContext, value: string): Promise<Reply> {
  const { label } = await getChosenSkill(context, value);
  const isSaved = await context.people.saveSearch(context.owner, quoteTerm(label));
  const { t } = await context.words();
  const key = isSaved ? 'slackSkills.saved' : 'slackSkills.savedEnough';
  return { kind: 'message', message: noticeMessage(t(key, { term: toBold(escapeMrkdwn(label)) })) };
}

/** Posts a term where it was asked for, once. Errors: SLACK_STATE_OVER, those of `shareOnce`. */
async function shareSkill(context: SlackContext, value: string): Promise<Reply> {
  const { state, label, taxonomy } = await getChosenSkill(context, value);
  const words = await context.words();
  return replyToShare(context, {
    contentId: `term ${JSON.stringify([taxonomy, label])}`,
    message: drawSharedSkill({ label, taxonomy }, context.userId, words),
    shareTo: state.shareTo,
    describe: (t, outcome) => t(`slackSkills.share.${outcome}`),
  });
}

/** Draws what everyone sees, without buttons: their state belongs to the person who shares. */
function drawSharedSkill(
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

/** The most characters that Slack takes in one field. */
const MAX_PASTED_LENGTH = 3_000;

async function openSkillsForm(context: SlackContext, token: string): Promise<Reply> {
  const { from, asked, shareTo } = await getSkillsState(context, token);
  const options = { prefilled: from === 'words' ? asked : '', shareTo: shareTo ?? findShareTarget(context) };
  return { kind: 'modal', view: await drawSkillsForm(context, options) };
}

/** Finds skills for the typed or pasted text; they take the place of the form. */
async function submitSkillsForm(context: SlackContext, view: SlackView): Promise<ViewAnswer> {
  const words = await context.words();
  const text = readField(view.values, FIELD)?.value?.trim() ?? '';
  if (text === '') return refuseField(FIELD, words.t('slackSkills.ask.empty'));
  const title = words.t('slackSkills.ask.title');
  return {
    show: { kind: 'update', view: drawWaitingModal({ title, callbackId: 'skills_found' }, words) },
    isRepeatable: true,
    afterwards: async () => {
      const shareTo = await context.savedStates.find<ShareTarget>(context.owner, view.privateMetadata);
      return { kind: 'replace', message: await showSkills(context, text, shareTo) };
    },
  };
}

async function drawSkillsForm(
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

/** Answers "Find learning for this" in the menu of a message with a modal, also within threads. */
async function openSkillsOfMessage(context: SlackContext, source: SlackMessage | null): Promise<Reply> {
  const { t } = await context.words();
  const parts = { title: t('slackSkills.message.title'), callbackId: 'skills_message' };
  return showWaitingModal(context, parts, () => showSkillsOfMessage(context, source));
}

/** Shows skills and objects for a message, or a button for the form. Errors: of `Discovery`. */
export async function showSkillsOfMessage(context: SlackContext, source: SlackMessage | null): Promise<Message> {
  const text = extractSkillsText(source?.text ?? '');
  const target = findShareTarget(context);
  const shareTo = target === null ? null : { ...target, threadTs: source?.threadTs ?? null };
  const result = text === '' ? null : await showSkillsOfText(context, text, shareTo);
  if (result !== null) return result;
  // The search form begins with the text of the message.
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
/** Marks of style around words, and marks of quotations before them. */
const MARKS = /(?<![\p{L}\p{N}*_~])[*_~]+(?=\S)|(?<=[^\s*_~])[*_~]+(?![\p{L}\p{N}])|^[^\S\n]*(?:&gt;)+/gmu;

/** Extracts the words of a mrkdwn message: labels of links, but no code, mentions or addresses. */
export function extractSkillsText(text: string): string {
  const words = text
    .replace(CODE, ' ')
    .replace(MENTION, ' ')
    .replace(LINK, (_, label: string | undefined) => ` ${label ?? ''} `)
    .replace(MARKS, ' ');
  return toOneLine(normaliseTyped(words).replace(ADDRESS, ' '));
}
