import { AppError } from '#errors';
import type { ObjectWords } from '#faces/object-view/facts';
import { findLanguageName } from '#faces/words/language-names';
import type { KnownBlock, Message } from '../blocks/block-kit.ts';
import { actions, button, header, limits, sectionBlock, smallText } from '../blocks/block-kit.ts';
import { option, overflowMenu } from '../blocks/menus.ts';
import { cutSlackText, escapeMrkdwn, linkTitle, toBold } from '../blocks/text.ts';
import type { ShareTarget, SlackContext } from '../listener.ts';
import { readStateButton, readStateToShare } from '../share.ts';

export function drawSkillsMessage(page: SkillsPage, words: ObjectWords): Message {
  const { state } = page;
  const isFound = state.groups.length > 0;
  const title = writeSkillsTitle(state, words);
  // From one group to all of them, or from similar terms to those they are similar to.
  const back = page.only === null ? state.back : page.token;
  return {
    text: escapeMrkdwn(isFound ? listSkillNames(state, title, words) : title),
    blocks: [
      header(title),
      ...staleSkillsBlocks(state, words),
      ...(isFound ? drawSkillBlocks(page, words) : noSkillsBlocks(page, words)),
      ...(back === null
        ? []
        : [actions([button({ actionId: 'skills_back', text: words.t('slackSkills.back'), value: back })])]),
    ],
  };
}

function writeSkillsTitle(state: SkillsState, { t }: ObjectWords): string {
  const { from, groups } = state;
  const [group] = groups;
  if (from === 'words') {
    const key = group === undefined ? 'slackSkills.nothing.title' : 'slackSkills.heading';
    return t(key, { asked: quoteAskedSkills(state) });
  }
  if (group === undefined) return t('slackSkills.nothing.inText');
  return t('slackSkills.headingOfText', { count: group.labels.length });
}

function listSkillNames({ groups }: SkillsState, title: string, { t, locale }: ObjectWords): string {
  const labels = listFirstSkills(groups).map(({ label }) => label);
  const names = new Intl.ListFormat(locale, { type: 'unit' }).format(labels);
  return t('slackSkills.named', { title, names });
}

function staleSkillsBlocks({ staleSinceMs }: SkillsState, { t, locale }: ObjectWords): KnownBlock[] {
  if (staleSinceMs === null) return [];
  const time = new Date(staleSinceMs).toLocaleString(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return [smallText(t('slackSkills.stale', { at: `${time} UTC` }))];
}

/** Other words if there are any, how else to ask, and objects for the words as they are. */
function noSkillsBlocks(page: SkillsPage, words: ObjectWords): KnownBlock[] {
  const { state } = page;
  const { t } = words;
  return [
    ...otherSkillWords(page, words),
    sectionBlock(t(state.from === 'text' ? 'slackSkills.nothing.textHint' : 'slackSkills.nothing.hint')),
    actions(listSkillsWaysOut(page, words)),
  ];
}

function otherSkillWords(page: SkillsPage, { t }: ObjectWords): KnownBlock[] {
  const { state, token } = page;
  const { didYouMean } = state;
  const related = relatedSkillButtons(page);
  if (didYouMean === null)
    return related.length === 0 ? [] : [sectionBlock(t('slackSkills.nothing.instead')), actions(related)];
  const value = `${token}:${numberSkillPlaces(state).correction}`;
  const correction = button({ actionId: 'skills_try', text: didYouMean, value });
  const question = t('slackSkills.didYouMean', { term: toBold(escapeMrkdwn(didYouMean)) });
  return [sectionBlock(question), actions([correction, ...related])];
}

/** Other words come first: a search for unknown words seldom finds learning objects. */
function listSkillsWaysOut({ state, token }: SkillsPage, { t }: ObjectWords) {
  const ask = button({
    actionId: 'skills_ask',
    text: t('slackSkills.nothing.ask'),
    value: token,
    style: 'primary',
  });
  if (state.from === 'text') return [ask];
  const value = `${token}:${numberSkillPlaces(state).asked}`;
  return [ask, button({ actionId: 'skills_learn', text: t('slackSkills.nothing.search'), value })];
}

const MAX_TERMS_OF_ONE = 20;
const MAX_QUOTED_LENGTH = 100;
/** Of a taxonomy in a button. */
const MAX_TAXONOMY_LENGTH = 60;

function drawSkillBlocks(page: SkillsPage, words: ObjectWords): KnownBlock[] {
  const { state, only } = page;
  const related = only === null ? relatedSkillButtons(page) : [];
  return [
    ...skillsTextBlocks(state, words),
    ...skillCorrectionBlocks(page, words),
    ...(only === null ? firstSkillBlocks(page, words) : groupBlocks(page, only, words)),
    ...(related.length > 0 ? [smallText(words.t('slackSkills.related')), actions(related)] : []),
  ];
}

const quoteAskedSkills = ({ asked }: Pick<SkillsState, 'asked'>): string => cutSlackText(asked, MAX_QUOTED_LENGTH);

function skillsTextBlocks(state: SkillsState, { t, locale }: ObjectWords): KnownBlock[] {
  if (state.from === 'words') return [];
  const asked = escapeMrkdwn(quoteAskedSkills(state));
  if (state.lang === null) return [smallText(t('slackSkills.ofText', { asked }))];
  const language = findLanguageName(state.lang, locale);
  return [smallText(t('slackSkills.ofTextIn', { asked, language }))];
}

function skillCorrectionBlocks({ state, token }: SkillsPage, { t }: ObjectWords): KnownBlock[] {
  if (state.didYouMean === null) return [];
  const text = t('slackSkills.didYouMean', { term: toBold(escapeMrkdwn(state.didYouMean)) });
  const value = `${token}:${numberSkillPlaces(state).correction}`;
  return [sectionBlock(text, button({ actionId: 'skills_try', text: t('slackSkills.searchForIt'), value }))];
}

/** The best terms, and a button for the others of each taxonomy. */
function firstSkillBlocks({ state, token, canShare, pageOf }: SkillsPage, words: ObjectWords): KnownBlock[] {
  const { t } = words;
  const first = listFirstSkills(state.groups);
  const more = state.groups.flatMap(({ taxonomy, labels }, index) => {
    const count = labels.length - first.filter((term) => term.taxonomy === taxonomy).length;
    if (count === 0) return [];
    const named = t('slackSkills.showMore', { count });
    const text = taxonomy === null ? named : `${cutSlackText(taxonomy, MAX_TAXONOMY_LENGTH)}: ${named}`;
    return [button({ actionId: `skills_group_${index}`, text, value: `${token}:${index}` })];
  });
  return [
    ...first.map(({ number, uri, ...term }) =>
      skillTermBlock({ ...term, page: pageOf(uri), value: `${token}:${number}`, canShare }, words),
    ),
    ...(more.length > 0 ? [actions(more.slice(0, limits.actionsElements))] : []),
  ];
}

/** A taxonomy and as many of its terms as fit. */
function groupBlocks({ state, token, canShare, pageOf }: SkillsPage, index: number, words: ObjectWords): KnownBlock[] {
  const group = state.groups[index];
  if (group === undefined) return [];
  const { taxonomy, labels, uris } = group;
  const first = numberSkillGroup(state, index);
  const hiddenCount = labels.length - MAX_TERMS_OF_ONE;
  const terms = labels.slice(0, MAX_TERMS_OF_ONE);
  return [
    ...(taxonomy === null ? [] : [sectionBlock(words.t('slackSkills.source', { taxonomy: escapeMrkdwn(taxonomy) }))]),
    ...terms.map((label, place) =>
      skillTermBlock(
        { label, taxonomy: null, page: pageOf(uris?.[place]), value: `${token}:${first + place}`, canShare },
        words,
      ),
    ),
    ...(hiddenCount > 0 ? [smallText(words.t('slackSkills.more', { count: hiddenCount }))] : []),
  ];
}

/** Choices in a term's menu, in front of its number: `similar:<token>:<number>`. */
export const termChoices = ['learn', 'similar', 'save', 'share'] as const;

interface TermParts {
  readonly label: string;
  /** Beside the label; null if it is above the list. */
  readonly taxonomy: string | null;
  /** Address of its page; null for none. */
  readonly page: string | null;
  readonly value: string;
  readonly canShare: boolean;
}

/** A term with its menu, in one line. */
function skillTermBlock({ label, taxonomy, page, value, canShare }: TermParts, { t }: ObjectWords): KnownBlock {
  const choices = termChoices.filter((choice) => choice !== 'share' || canShare);
  const menu = overflowMenu(
    'skills_menu',
    choices.map((choice) => option(`${choice}:${value}`, t(`slackSkills.menu.${choice}`))),
  );
  const source = taxonomy === null ? '' : `  ·  ${escapeMrkdwn(cutSlackText(taxonomy, MAX_TAXONOMY_LENGTH))}`;
  const name = page === null ? escapeMrkdwn(label) : linkTitle(page, label);
  return sectionBlock(`${toBold(name)}${source}`, menu);
}

function relatedSkillButtons({ state, token }: SkillsPage) {
  const first = numberSkillPlaces(state).related;
  return state.related.map((text, place) =>
    button({ actionId: `skills_try_${place}`, text, value: `${token}:${first + place}` }),
  );
}

/** Terms found for words, or in a text. Buttons name a term by its place: that in `listPlaces`. */
export interface SkillsState {
  readonly kind: 'skills';
  readonly from: 'words' | 'text';
  /** What was asked; of a text its beginning. */
  readonly asked: string;
  readonly groups: readonly TermGroup[];
  /** A correction of the words; null if there is none. */
  readonly didYouMean: string | null;
  /** Related terms that are not shown at first; if nothing was found, further corrections. */
  readonly related: readonly string[];
  /** Language of the text, where it was detected: a two-letter code. */
  readonly lang: string | null;
  /** Milliseconds; when the service gave this answer, where it gives none now. */
  readonly staleSinceMs: number | null;
  readonly shareTo: ShareTarget | null;
  /** Token of the list that this one replaced; null if it replaced none. */
  readonly back: string | null;
}

export interface TermGroup {
  /** Null for tags of a text: the service does not name their taxonomy. */
  readonly taxonomy: string | null;
  /** Best first. */
  readonly labels: readonly string[];
  /** Of the concepts, one for each label; absent if none is known. */
  readonly uris?: readonly (string | null)[];
}

export interface ChosenTerm {
  readonly state: SkillsState;
  readonly token: string;
  readonly label: string;
  readonly taxonomy: string | null;
}

export interface SkillsPage {
  readonly state: SkillsState;
  readonly token: string;
  /** Index of the only group that is shown, with all of its terms; null shows the best of each. */
  readonly only: number | null;
  readonly canShare: boolean;
  /** Address of the page of a concept; null for none. */
  pageOf(uri: string | null | undefined): string | null;
}

/** More would fill the window. */
const MAX_FIRST = 5;

/** The terms that are shown at first: the best of each taxonomy, then the second of each. */
export function listFirstSkills(groups: readonly TermGroup[]) {
  const depth = Math.max(0, ...groups.map(({ labels }) => labels.length));
  return Array.from({ length: Math.min(depth, MAX_FIRST) }, (_, rank) =>
    groups.flatMap(({ labels, taxonomy, uris }, group) => {
      const label = labels[rank];
      return label === undefined
        ? []
        : [{ label, taxonomy, uri: uris?.[rank], number: numberSkillGroup({ groups }, group) + rank }];
    }),
  )
    .flat()
    .slice(0, MAX_FIRST);
}

/** Everything that a button may name, in the order of its numbers. */
function listPlaces({ groups, didYouMean, related, asked }: SkillsState): Pick<ChosenTerm, 'label' | 'taxonomy'>[] {
  const terms = groups.flatMap(({ taxonomy, labels }) => labels.map((label) => ({ label, taxonomy })));
  const others = [...(didYouMean === null ? [] : [didYouMean]), ...related, asked];
  return [...terms, ...others.map((label) => ({ label, taxonomy: null }))];
}

const numberSkillGroup = ({ groups }: Pick<SkillsState, 'groups'>, index: number): number =>
  groups.slice(0, index).reduce((sum, { labels }) => sum + labels.length, 0);

/** The numbers of the places behind the groups; of related terms that of the first. */
function numberSkillPlaces(state: SkillsState) {
  const correction = numberSkillGroup(state, state.groups.length);
  const related = correction + (state.didYouMean === null ? 0 : 1);
  return { correction, related, asked: related + state.related.length };
}

export const readSkillsState = (context: SlackContext, token: string): Promise<SkillsState> =>
  readStateToShare<SkillsState>(context, { token, kind: 'skills' });

/** @param value of a button: `<token>:<number>`. Errors: SLACK_STATE_OVER, PARAMETERS_INVALID. */
export async function readChosenSkill(context: SlackContext, value: string): Promise<ChosenTerm> {
  const { token, number } = readStateButton(value);
  const state = await readSkillsState(context, token);
  const place = listPlaces(state)[number];
  if (place === undefined)
    throw new AppError('PARAMETERS_INVALID', 'This button names no term of its list. Search again.');
  return { state, token, ...place };
}
