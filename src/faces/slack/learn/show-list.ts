import { toOneLine } from '#domain/text';
import type { ObjectWords } from '#faces/object-view/facts';
import { joinNames } from '#faces/words/i18n';
import type { Lists } from '#services/searching/discovery/results';
import { actions, button, header, type KnownBlock, linkButton, type Message, smallText } from '../blocks/block-kit.ts';
import { option, overflowMenu } from '../blocks/menus.ts';
import type { ObjectSectionOptions } from '../blocks/messages.ts';
import { countCharacters, objectSection, shortenObjectTitle } from '../blocks/messages.ts';
import { cutSlackText, escapeMrkdwn, linkTitle, toBlockAddress } from '../blocks/text.ts';
import { LISTS_MS, type SlackContext } from '../listener.ts';
import { drawFilterBlock, drawFilterChips } from './filter-blocks.ts';
import type { LearnState, ListedObject, SearchedPage, SimilarObjects } from './learn-state.ts';
import { keepLearnState } from './learn-state.ts';
import { drawWaysOutBlocks } from './search-page.ts';

export const showNewList = async (context: SlackContext, state: LearnState): Promise<Message> =>
  showList(context, { state, token: await keepLearnState(context, state) });

/** Draws a stored list anew: which of its objects are saved may have changed. */
export async function showList(
  context: SlackContext,
  { state, token }: { readonly state: LearnState; readonly token: string },
): Promise<Message> {
  const urls = state.items.map(({ object }) => object.url);
  const [words, lists, saved] = await Promise.all([
    context.words(),
    context.discovery.lists({ timeoutMs: LISTS_MS }),
    context.shelf.findSaved(context.owner, urls),
  ]);
  // A modal belongs to no conversation, so it can only be shared to that of the state.
  const canShare = state.shareTo !== null || (context.view === null && context.channelId !== null);
  const parts = { state, token, lists, saved, canShare };
  const message = drawList(parts, generous, words);
  return countCharacters(message.blocks) <= MAX_TEXT ? message : drawList(parts, frugal, words);
}

interface ListParts {
  readonly state: LearnState;
  readonly token: string;
  readonly lists: Lists;
  /** Addresses of the objects that are saved. */
  readonly saved: ReadonlySet<string>;
  readonly canShare: boolean;
}

/** How many characters of an object are shown. */
type Detail = Required<Pick<ObjectSectionOptions, 'maxTitle' | 'maxFacts' | 'maxDescription'>>;

const MAX_WORDS = 80;
const MAX_NOTE = 250;
const MAX_NOTES = 6;
/** Characters of a title in the text that is read out and shown in notifications. */
const MAX_READ_TITLE = 60;

const generous: Detail = { maxTitle: 150, maxFacts: 250, maxDescription: 200 };

/** Keeps ten objects with long words within what a message takes. */
const frugal: Detail = { maxTitle: 80, maxFacts: 100, maxDescription: 0 };
/** Characters of all texts above which a list is drawn with less detail. */
const MAX_TEXT = 12_500;

/** Draws objects with two blocks each, and the controls of the list; for messages and modals. */
function drawList(parts: ListParts, detail: Detail, words: ObjectWords): Message {
  const { state, token, lists } = parts;
  const { of } = state;
  const title = of.kind === 'search' ? writeSearchListTitle(of, words) : writeSimilarListTitle(of, state, words);
  return {
    text: escapeMrkdwn(writeReadOutText(title, state, words)),
    blocks: [
      header(title),
      ...drawListNotes(state, words),
      ...(of.kind === 'search' ? drawFilterChips({ token, choices: of.choices, lists }, words) : []),
      ...drawListObjects(parts, detail, words),
      ...(of.kind === 'search' ? drawListControls(of, parts, words) : []),
      ...(of.kind === 'similar' && of.back !== null
        ? [actions([button({ actionId: 'learn_back', text: words.t('slackLearn.back'), value: of.back })])]
        : []),
    ],
  };
}

/** Writes the text for screen readers and notifications, which do not get the blocks. */
function writeReadOutText(title: string, { items }: LearnState, { t, locale }: ObjectWords): string {
  if (items.length === 0) return title;
  const titles = items.map(({ object }) => cutSlackText(toOneLine(object.title), MAX_READ_TITLE));
  return t('slackLearn.named', { title, names: joinNames(titles, locale, 'unit') });
}

/** Draws the controls of the whole list at its end, which people see first of a message. */
function drawListControls(of: SearchedPage, { token, lists }: ListParts, words: ObjectWords): KnownBlock[] {
  if (of.waysOut !== null) return drawWaysOutBlocks(of.waysOut, token, words);
  const filters = { token, choices: of.choices, lists };
  return [...drawListPager(of, token, words), drawFilterBlock(filters, words)];
}

function writeSearchListTitle(page: SearchedPage, { t, locale }: ObjectWords): string {
  const { choices, totalItems, isTotalExact, waysOut } = page;
  const words = cutSlackText(toOneLine(choices.sentence ?? choices.words), MAX_WORDS);
  if (waysOut !== null) return t('search.nothing.title', { words });
  const values = { count: totalItems, total: totalItems.toLocaleString(locale), words };
  return t(isTotalExact ? 'search.count' : 'search.aboutCount', values);
}

function writeSimilarListTitle({ title }: SimilarObjects, { items }: LearnState, { t }: ObjectWords): string {
  const values = { title: cutSlackText(toOneLine(title), MAX_WORDS) };
  return t(items.length === 0 ? 'slackLearn.nothingLike' : 'slackLearn.like', values);
}

/** Draws how well the objects fit, and what is missing or was not understood. */
function drawListNotes({ of, notes }: LearnState, { t }: ObjectWords): KnownBlock[] {
  const isFound = of.kind === 'search' && of.waysOut === null;
  // "All results match" would be wrong where a filter is ignored.
  const showsQuality = isFound && !(of.quality === 'A00' && of.choices.ignoresFilters === true);
  const lines = [...(showsQuality ? [t(`slackLearn.quality.${of.quality}`)] : []), ...notes].map((note) =>
    cutSlackText(escapeMrkdwn(note), MAX_NOTE),
  );
  return lines.length === 0 ? [] : [smallText(...lines.slice(0, MAX_NOTES))];
}

/** Choices in an object's menu, in front of its number: `similar:<token>:<number>`. */
export const menuChoices = ['similar', 'feedback', 'broken'] as const;

function drawListObjects(parts: ListParts, detail: Detail, words: ObjectWords): KnownBlock[] {
  const { state, token, saved, canShare } = parts;
  const isClose = state.of.kind === 'search' && state.of.quality === 'C00';
  return state.items.flatMap((item, number) => {
    const { object, skill, tier } = item;
    const isFirst = tier !== undefined && tier !== state.items[number - 1]?.tier && !isClose;
    const remark = skill === undefined ? undefined : words.t('slackLearn.forSkill', { skill });
    const value = `${token}:${number}`;
    return [
      ...(isFirst ? [smallText(words.t(`search.tiers.${tier}`))] : []),
      objectSection(object, { ...detail, remark }, words),
      drawListItemActions(item, { value, isSaved: saved.has(object.url), canShare }, words),
    ];
  });
}

function drawListItemActions(
  { object }: ListedObject,
  { value, isSaved, canShare }: { value: string; isSaved: boolean; canShare: boolean },
  { t }: ObjectWords,
): KnownBlock {
  const title = shortenObjectTitle(object);
  const actionButton = (actionId: string, name: string) =>
    button({
      actionId,
      text: t(`slackLearn.item.${name}`),
      value,
      label: t(`slackLearn.item.${name}Label`, { title }),
    });
  // An address may be too long for a link within a text.
  const isLinked = linkTitle(object.url, '').startsWith('<');
  const url = isLinked ? null : toBlockAddress(object.url);
  const label = t('slackLearn.item.openLabel', { title });
  const open = { actionId: 'learn_open', text: t('slackLearn.item.open'), label };
  return actions([
    ...(url === null ? [] : [linkButton({ ...open, url })]),
    isSaved ? actionButton('learn_unsave', 'saved') : actionButton('learn_save', 'save'),
    ...(canShare ? [actionButton('learn_share', 'share')] : []),
    overflowMenu(
      'learn_menu',
      menuChoices.map((choice) => option(`${choice}:${value}`, t(`slackLearn.menu.${choice}`))),
    ),
  ]);
}

function drawListPager(searched: SearchedPage, token: string, { t, locale }: ObjectWords): KnownBlock[] {
  const { page, hasMore, totalItems, isTotalExact, choices } = searched;
  if (page === 0 && !hasMore) return [];
  const turn = (direction: 'previous' | 'next', to: number) =>
    button({
      actionId: `learn_page_${direction}`,
      text: t(`slackLearn.pages.${direction}`),
      value: `${token}:${to}`,
      label: t('slackLearn.pages.to', { page: (to + 1).toLocaleString(locale) }),
    });
  const pageNumber = (page + 1).toLocaleString(locale);
  const pages = Math.ceil(totalItems / choices.itemsPerPage).toLocaleString(locale);
  return [
    smallText(t(isTotalExact ? 'slackLearn.pages.of' : 'slackLearn.pages.number', { page: pageNumber, pages })),
    actions([...(page > 0 ? [turn('previous', page - 1)] : []), ...(hasMore ? [turn('next', page + 1)] : [])]),
  ];
}
