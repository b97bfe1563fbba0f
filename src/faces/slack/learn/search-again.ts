import { AppError } from '../../../errors.ts';
import type { Version } from '../../../services/kept-states.ts';
import type { SlackFaceDeps } from '../deps.ts';
import type { SlackContext, SlackReply } from '../listener.ts';
import type { LearnChoices } from './choices.ts';
import { searchPage } from './search-page.ts';
import { showNewList } from './show-list.ts';
import { type LearnState, readState, type SearchedPage, type SearchPlace } from './state.ts';

export interface KeptSearch {
  readonly state: LearnState;
  readonly of: SearchedPage;
}

/** The search that a list is of. Errors: SLACK_STATE_OVER. */
export async function readSearch(
  deps: Pick<SlackFaceDeps, 'keptStates'>,
  context: SlackContext,
  token: string,
): Promise<KeptSearch> {
  const state = await readState(deps, context, token);
  if (state.of.kind === 'search') return { state, of: state.of };
  throw new AppError('SLACK_STATE_OVER', 'This button is of no search any more. Search again.');
}

/** What is wanted after what was wanted so far; null where that changes nothing. */
export type Change = (newest: SearchPlace) => SearchPlace | null;

/** The first page of the search with other choices. */
export const changeChoices =
  (change: (choices: LearnChoices) => LearnChoices | null): Change =>
  ({ choices }) => {
    const changed = change(choices);
    return changed === null ? null : { choices: changed, page: 0 };
  };

type Deps = Pick<SlackFaceDeps, 'tenants' | 'keptStates' | 'shelf'>;

/** Another page, or the same search otherwise, in place of what is shown. What was chosen meanwhile in the same list holds as
 *  well; only the last of those who choose is answered then. Errors: those of `Discovery`, and of the change. */
export async function searchAgain(
  deps: Deps,
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

/** Who is overtaken changes what is newest then. */
async function keepChange(
  { keptStates }: Pick<Deps, 'keptStates'>,
  { owner }: SlackContext,
  { series, version, choices, page }: SearchedPage,
  change: Change,
): Promise<Version<SearchPlace> | null> {
  let known: Version<SearchPlace> = { number: version, state: { choices, page } };
  for (;;) {
    known = await keptStates.findNewest(owner, series, known);
    const state = change(known.state);
    if (state === null) return null;
    if (isSame(state, known.state)) return known;
    const next = { number: known.number + 1, state };
    if (await keptStates.addVersion(owner, series, next)) return next;
  }
}

/** Both are made of the same parts in the same order. */
export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
