import type { Lists } from '../../../services/discovery/discovery.ts';
import type { ObjectWords } from '../../object-view/facts.ts';
import type { KnownBlock, Message } from '../blocks/block-kit.ts';
import { actions, button, context, header } from '../blocks/elements.ts';
import { cut, escapeMrkdwn, oneLine } from '../blocks/text.ts';
import { textLength } from '../blocks/text-length.ts';
import { chipBlocks } from './chip-blocks.ts';
import { filterBlock } from './filter-block.ts';
import { nothingBlocks } from './nothing-blocks.ts';
import { pageBlocks } from './page-blocks.ts';
import { type Detail, type ResultParts, resultBlocks } from './result-blocks.ts';
import type { LearnState, SearchedPage, SimilarObjects } from './state.ts';

export interface ListParts extends ResultParts {
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
export function listMessage(parts: ListParts, words: ObjectWords): Message {
  const message = buildMessage(parts, generous, words);
  return textLength(message.blocks) <= MAX_TEXT ? message : buildMessage(parts, frugal, words);
}

function buildMessage(parts: ListParts, detail: Detail, words: ObjectWords): Message {
  const { of } = parts.state;
  const title = of.kind === 'search' ? countOf(of, words) : similarTitle(of, parts.state, words);
  const around = of.kind === 'search' ? searchedBlocks(of, parts, words) : similarBlocks(of, words);
  const results = resultBlocks(parts, detail, words);
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
  const titles = items.map(({ object }) => cut(oneLine(object.title), MAX_READ_TITLE));
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
  const above = chipBlocks(filters, words);
  if (of.waysOut !== null) return { above, below: nothingBlocks(of.waysOut, token, words) };
  // The end of a message is what is seen first: what changes the whole list stands there.
  return { above, below: [...pageBlocks(of, token, words), filterBlock(filters, words)] };
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
  const words = cut(oneLine(choices.words), MAX_WORDS);
  if (waysOut !== null) return t('picker.nothing.title', { words });
  const values = { count: totalItems, total: totalItems.toLocaleString(locale), words };
  return t(isTotalExact ? 'picker.count' : 'picker.aboutCount', values);
}

function similarTitle({ title }: SimilarObjects, { items }: LearnState, { t }: ObjectWords): string {
  const shown = { title: cut(oneLine(title), MAX_WORDS) };
  return t(items.length === 0 ? 'slackLearn.nothingLike' : 'slackLearn.like', shown);
}

/** How well it fits, and what is missing or was not understood. */
function noteBlocks({ of, notes }: LearnState, { t }: ObjectWords): KnownBlock[] {
  const isFound = of.kind === 'search' && of.waysOut === null;
  const lines = [...(isFound ? [t(`slackLearn.quality.${of.quality}`)] : []), ...notes].map((note) =>
    cut(escapeMrkdwn(note), MAX_NOTE),
  );
  return lines.length === 0 ? [] : [context(...lines.slice(0, MAX_NOTES))];
}
