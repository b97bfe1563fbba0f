import type { ObjectWords } from '#faces/object-view/facts';
import type { Lists } from '#services/searching/discovery/results';
import { actions, button, header, type KnownBlock, type Message, smallText } from '../blocks/block-kit.ts';
import { countMessageCharacters } from '../blocks/messages.ts';
import { cutText, escapeMrkdwn, toOneLine } from '../blocks/text.ts';
import type { SlackFaceDeps } from '../deps.ts';
import { LISTS_MS, type SlackContext } from '../listener.ts';
import { drawChipBlocks } from './chip-blocks.ts';
import { drawFilterBlock } from './filter-menus.ts';
import { keepLearnState, type LearnState, type SearchedPage, type SimilarObjects } from './learn-state.ts';
import { type Detail, drawPageBlocks, drawResultBlocks, type ResultParts } from './result-blocks.ts';
import { drawWaysOutBlocks } from './ways-out.ts';

type ListDeps = Pick<SlackFaceDeps, 'keptStates' | 'shelf'>;

/** Keeps a list and shows it. */
export async function showNewList(
  deps: ListDeps,
  context: SlackContext,
  state: LearnState,
): Promise<Message> {
  return showList(deps, context, { state, token: await keepLearnState(deps, context, state) });
}

/** A list as it is now: which of its objects are saved may have changed. */
export async function showList(
  { shelf }: Pick<ListDeps, 'shelf'>,
  context: SlackContext,
  { state, token }: { readonly state: LearnState; readonly token: string },
): Promise<Message> {
  const urls = state.items.map(({ object }) => object.url);
  const [words, lists, saved] = await Promise.all([
    context.words(),
    context.discovery.lists({ timeoutMs: LISTS_MS }),
    shelf.findSaved(context.owner, urls),
  ]);
  return listMessage({ state, token, lists, saved, canShare: canShare(context, state) }, words);
}

/** From a modal it can only be shared if the conversation it was asked for in is known. */
const canShare = ({ view, channelId }: SlackContext, { shareTo }: LearnState): boolean =>
  shareTo !== null || (view === null && channelId !== null);

interface ListParts extends ResultParts {
  readonly lists: Lists;
}

const MAX_WORDS = 80;
const MAX_NOTE = 250;
const MAX_NOTES = 6;
/** Of the text that is read out and shown in notifications, without the blocks. */
const MAX_READ_TITLE = 60;

const generous: Detail = { maxTitle: 150, maxFacts: 250, maxDescription: 200 };

/** With long words everywhere, ten objects are still within what a message takes. */
const frugal: Detail = { maxTitle: 80, maxFacts: 100, maxDescription: 0 };

const MAX_TEXT = 12_500;

/** Learning objects, with what can be done with each and with the list: two blocks for an object, valid in messages and modals. */
function listMessage(parts: ListParts, words: ObjectWords): Message {
  const message = buildMessage(parts, generous, words);
  return countMessageCharacters(message.blocks) <= MAX_TEXT ? message : buildMessage(parts, frugal, words);
}

function buildMessage(parts: ListParts, detail: Detail, words: ObjectWords): Message {
  const { of } = parts.state;
  const title = of.kind === 'search' ? countOf(of, words) : similarTitle(of, parts.state, words);
  const around = of.kind === 'search' ? searchedBlocks(of, parts, words) : similarBlocks(of, words);
  const results = drawResultBlocks(parts, detail, words);
  const blocks = [
    header(title),
    ...noteBlocks(parts.state, words),
    ...around.above,
    ...results,
    ...around.below,
  ];
  return { text: escapeMrkdwn(readOut(title, parts.state, words)), blocks };
}

/** Screen readers and notifications have nothing else. */
function readOut(title: string, { items }: LearnState, { t, locale }: ObjectWords): string {
  if (items.length === 0) return title;
  const titles = items.map(({ object }) => cutText(toOneLine(object.title), MAX_READ_TITLE));
  return t('slackLearn.named', {
    title,
    names: new Intl.ListFormat(locale, { type: 'unit' }).format(titles),
  });
}

interface Around {
  readonly above: readonly KnownBlock[];
  readonly below: readonly KnownBlock[];
}

function searchedBlocks(of: SearchedPage, { token, lists }: ListParts, words: ObjectWords): Around {
  const filters = { token, choices: of.choices, lists };
  const above = drawChipBlocks(filters, words);
  if (of.waysOut !== null) return { above, below: drawWaysOutBlocks(of.waysOut, token, words) };
  // The end of a message is seen first: controls for the whole list are there.
  return { above, below: [...drawPageBlocks(of, token, words), drawFilterBlock(filters, words)] };
}

function similarBlocks({ back }: SimilarObjects, { t }: ObjectWords): Around {
  if (back === null) return { above: [], below: [] };
  const goBack = button({ actionId: 'learn_back', text: t('slackLearn.back'), value: back });
  return { above: [], below: [actions([goBack])] };
}

function countOf(
  { choices, totalItems, isTotalExact, waysOut }: SearchedPage,
  { t, locale }: ObjectWords,
): string {
  const words = cutText(toOneLine(choices.words), MAX_WORDS);
  if (waysOut !== null) return t('search.nothing.title', { words });
  const values = { count: totalItems, total: totalItems.toLocaleString(locale), words };
  return t(isTotalExact ? 'search.count' : 'search.aboutCount', values);
}

function similarTitle({ title }: SimilarObjects, { items }: LearnState, { t }: ObjectWords): string {
  const shown = { title: cutText(toOneLine(title), MAX_WORDS) };
  return t(items.length === 0 ? 'slackLearn.nothingLike' : 'slackLearn.like', shown);
}

/** How well it fits, and what is missing or was not understood. */
function noteBlocks({ of, notes }: LearnState, { t }: ObjectWords): KnownBlock[] {
  const isFound = of.kind === 'search' && of.waysOut === null;
  const lines = [...(isFound ? [t(`slackLearn.quality.${of.quality}`)] : []), ...notes].map((note) =>
    cutText(escapeMrkdwn(note), MAX_NOTE),
  );
  return lines.length === 0 ? [] : [smallText(...lines.slice(0, MAX_NOTES))];
}
