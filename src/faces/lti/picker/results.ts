import type { SearchDefaults } from '#domain/tenant';
import { hasErrorCode, isPassingError } from '#errors';
import { findWrongAnswerChoice, readAnswerWaysOut, toAnswerView } from '#faces/search-view/answer-view';
import { toResultGroups } from '#faces/search-view/result-groups';
import { readTypedSearch, toSearchFormQuery } from '#faces/search-view/search-form';
import type { Facets } from '#ports/learning-service';
import type { LearningObjectHit } from '#services/searching/discovery/results';
import type { LtiFaceDeps } from '../deps.ts';
import type { LaunchContext } from '../route.ts';
import { type BrowsedView, readBrowsed, type SearchChoices } from './browse.ts';
import { readPickerCards, toAskedSearch } from './cards.ts';

const NAMES_TIMEOUT_MS = 300;
const LISTS_TIMEOUT_MS = 1_500;

/** Reads the model of `views/lti/partials/results.eta`, or `more-results.eta` for later pages. */
export async function readPickerResults(deps: LtiFaceDeps, context: LaunchContext, defaults: SearchDefaults) {
  const { t, query, launch } = context;
  const lists = () => deps.discoveryOf(launch.tenantId).lists({ timeoutMs: LISTS_TIMEOUT_MS });
  const form = await readTypedSearch(query, { clock: deps.clock, lists });
  try {
    if (form.q !== '') return await searchForPicker(deps, context, { form, defaults });
    const browsed = await readBrowsed(deps, context, { form, defaults });
    if (browsed !== null) return toBrowsedPickerResults(browsed);
    return { kind: 'problem', field: 'q', message: t('picker.problems.noWords'), canRetry: false };
  } catch (error) {
    return toPickerResultsProblem(error, context);
  }
}

function toBrowsedPickerResults({ count, cards, nextPage, facets, ...browse }: BrowsedView) {
  return {
    kind: 'found',
    words: '',
    notices: [],
    quality: null,
    wishes: [],
    waysOut: null,
    count,
    groups: [{ line: null, items: cards.map((card) => ({ card })) }],
    nextPage,
    facets: writePickerFacets(facets),
    browse,
  };
}

async function searchForPicker(deps: LtiFaceDeps, context: LaunchContext, { form, defaults }: SearchChoices) {
  const discovery = deps.discoveryOf(context.launch.tenantId);
  const query = toSearchFormQuery(form, defaults, context.locale);
  const { signal, launch } = context;
  const result = await discovery.searchLearningObjects(query, { signal, withDetails: true });
  if (form.page === 0) deps.insight.noteSearch({ ...toAskedSearch(launch, form.q), result, isWatched: true });
  // The names of providers are fetched only if some are missing from the answer.
  const lists = result.missing.length > 0 ? await discovery.lists({ signal, timeoutMs: NAMES_TIMEOUT_MS }) : null;
  const answer = toAnswerView(result, { typed: form.q, providers: lists?.providers ?? [] }, context);
  const isEmpty = result.items.length === 0;
  // An empty later page adds nothing to the earlier ones.
  const [almost, waysOut] = await Promise.all([
    discovery.findNearMisses(query, result, { signal }),
    isEmpty && form.page === 0 ? readAnswerWaysOut(discovery, query, context) : null,
  ]);
  const toItems = async (objects: readonly LearningObjectHit[]) => {
    const sources = objects.map((object) => ({ ...object, words: form.q }));
    return (await readPickerCards(sources, deps, context)).map((card) => ({ card }));
  };
  return {
    kind: 'found',
    words: form.q,
    ...answer,
    count: isEmpty ? context.t('search.nothing.title', { words: form.q }) : answer.count,
    groups: await toResultGroups({ items: result.items, almost }, toItems, { ...context, form }),
    nextPage: result.hasMore && !isEmpty ? form.page + 1 : null,
    waysOut,
    facets: result.facets === undefined ? null : writePickerFacets(result.facets),
    browse: null,
  };
}

function writePickerFacets({ provider, type, bloom, lang }: Facets): string {
  const fields = Object.entries({ provider, type, bloom, lang });
  return JSON.stringify(Object.fromEntries(fields.map(([name, counts]) => [name, Object.fromEntries(counts)])));
}

/** Describes an error that the reader can do something about. Rethrows other errors. */
function toPickerResultsProblem(error: unknown, { t }: LaunchContext) {
  const createProblem = (key: string, field: string | null = null, canRetry = false) => ({
    kind: 'problem',
    field,
    message: t(key),
    canRetry,
  });
  if (isPassingError(error)) return createProblem('picker.problems.unavailable', null, true);
  const wrongChoice = findWrongAnswerChoice(error);
  if (wrongChoice !== null) return createProblem(wrongChoice.hintKey, wrongChoice.field);
  if (hasErrorCode(error, 'PARAMETERS_INVALID')) return createProblem('picker.problems.refused');
  throw error;
}
