import { AppError } from '#errors';
import type { Version } from '#services/people/kept-states';
import type { SlackFaceDeps } from '../deps.ts';
import { readKeptButton } from '../kept-state.ts';
import type { ActionListener, SlackContext, SlackReply } from '../listener.ts';
import {
  changeWords,
  correctMistypedChoice,
  dropChoice,
  dropChoiceValue,
  dropFilters,
  isDroppable,
  type LearnChoices,
  listChoiceValues,
} from './choices.ts';
import { type LearnState, readLearnState, type SearchedPage, type SearchPlace } from './learn-state.ts';
import { searchPage } from './search-page.ts';
import { showNewList } from './show-list.ts';

/** The page before or after, in place. */
export function learnPageListener(deps: SlackFaceDeps): ActionListener {
  return {
    kind: 'action',
    actionId: 'learn_page_*',
    async handle(context, { value }) {
      const { token, number: page } = readKeptButton(value);
      const kept = await readSearch(deps, context, token);
      // If the search was changed meanwhile, that page means nothing any more.
      return searchAgain(deps, context, kept, (newest) =>
        isSamePlace(newest.choices, kept.of.choices) ? { ...newest, page } : newest,
      );
    },
  };
}

const DROP = 'learn_drop_';

/** Takes a filter away, one value of it (`learn_drop_type_2`), or all of them: a chip, or a way out where nothing is found. */
export function learnDropListener(deps: SlackFaceDeps): ActionListener {
  return {
    kind: 'action',
    actionId: `${DROP}*`,
    async handle(context, { actionId, value: token }) {
      const kept = await readSearch(deps, context, token);
      const [name = '', number] = actionId.slice(DROP.length).split('_');
      if (!isDroppable(name)) return searchAgain(deps, context, kept, changeChoices(dropFilters));
      const value =
        number === undefined ? undefined : listChoiceValues(kept.of.choices, name)?.[Number(number)];
      const change = changeChoices((choices) =>
        value === undefined ? dropChoice(choices, name) : dropChoiceValue(choices, name, value),
      );
      return searchAgain(deps, context, kept, change);
    },
  };
}

/** The filter that was meant by what was mistyped. */
export function learnMeantListener(deps: SlackFaceDeps): ActionListener {
  return {
    kind: 'action',
    actionId: 'learn_meant_*',
    async handle(context, { value }) {
      const { token, number } = readKeptButton(value);
      const kept = await readSearch(deps, context, token);
      const meant = kept.of.choices.meant[number];
      if (meant === undefined)
        throw new AppError('PARAMETERS_INVALID', 'This button names no filter of its list. Search again.');
      const change = changeChoices((choices) => correctMistypedChoice(choices, meant));
      return searchAgain(deps, context, kept, change);
    },
  };
}

/** Other words to search for, where nothing was found. */
export function learnWordsListener(deps: SlackFaceDeps): ActionListener {
  return {
    kind: 'action',
    actionId: 'learn_words_*',
    async handle(context, { value }) {
      const { token, number } = readKeptButton(value);
      const kept = await readSearch(deps, context, token);
      const other = kept.of.waysOut?.otherWords[number];
      if (other === undefined)
        throw new AppError('PARAMETERS_INVALID', 'This button names no words of its list. Search again.');
      const change = changeChoices((choices) =>
        changeWords(other.keepsFilters ? choices : dropFilters(choices), other.words),
      );
      return searchAgain(deps, context, kept, change);
    },
  };
}

interface KeptSearch {
  readonly state: LearnState;
  readonly of: SearchedPage;
}

/** The search that a list is of. Errors: SLACK_STATE_OVER. */
export async function readSearch(
  deps: Pick<SlackFaceDeps, 'keptStates'>,
  context: SlackContext,
  token: string,
): Promise<KeptSearch> {
  const state = await readLearnState(deps, context, token);
  if (state.of.kind === 'search') return { state, of: state.of };
  throw new AppError('SLACK_STATE_OVER', 'This button is of no search any more. Search again.');
}

/** The next choices, given those so far; null if nothing changes. */
type Change = (newest: SearchPlace) => SearchPlace | null;

/** The first page of the search with other choices. */
export const changeChoices =
  (change: (choices: LearnChoices) => LearnChoices | null): Change =>
  ({ choices }) => {
    const changed = change(choices);
    return changed === null ? null : { choices: changed, page: 0 };
  };

type SearchDeps = Pick<SlackFaceDeps, 'tenants' | 'insight' | 'keptStates' | 'shelf'>;

/** Another page, or the same search otherwise, in place of what is shown. Choices made meanwhile in the same list hold as well;
 *  then only the last one is answered. Errors: those of `Discovery`, and of the change. */
export async function searchAgain(
  deps: SearchDeps,
  context: SlackContext,
  { state, of }: KeptSearch,
  change: Change,
): Promise<SlackReply> {
  const version = await keepChange(deps, context, of, change);
  if (version === null) return { kind: 'done' };
  const { series } = of;
  const place = { ...version.state, series, version: version.number };
  const next = await searchPage(deps, context, { ...place, notes: [], shareTo: state.shareTo });
  const newest = await deps.keptStates.findNewest(context.owner, series, version);
  if (newest.number > version.number) return { kind: 'done' };
  return { kind: 'replace', message: await showNewList(deps, context, next) };
}

/** If somebody was faster, it changes their result. */
async function keepChange(
  { keptStates }: Pick<SearchDeps, 'keptStates'>,
  { owner }: SlackContext,
  { series, version, choices, page }: SearchedPage,
  change: Change,
): Promise<Version<SearchPlace> | null> {
  let known: Version<SearchPlace> = { number: version, state: { choices, page } };
  for (;;) {
    known = await keptStates.findNewest(owner, series, known);
    const state = change(known.state);
    if (state === null) return null;
    if (isSamePlace(state, known.state)) return known;
    const next = { number: known.number + 1, state };
    if (await keptStates.addVersion(owner, series, next)) return next;
  }
}

/** Both are made of the same parts in the same order. */
const isSamePlace = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
