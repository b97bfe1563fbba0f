import type { SearchDefaults } from '#domain/tenant';
import { AppError, isPassingError } from '#errors';
import { type AnswerView, findWrongChoice, toAnswerView } from '#faces/search-view/answer-view';
import { type ResultGroup, toResultGroups } from '#faces/search-view/result-groups';
import { readSearchForm, type SearchForm, toSearchFormQuery } from '#faces/search-view/search-form';
import { readWaysOut, type WaysOutView } from '#faces/search-view/ways-out';
import type { Facets } from '#ports/learning-service';
import type { Discovery } from '#services/searching/discovery';
import type { FoundObject, SearchResult } from '#services/searching/discovery/results';
import type { LtiFaceDeps } from '../deps.ts';
import type { LaunchContext } from '../route.ts';
import { type BrowseDeps, type BrowsedView, readBrowsed } from './browse/browse.ts';
import { type Card, readCards } from './cards.ts';
import { findAsked } from './looked-into.ts';

export type ResultsDeps = BrowseDeps & Pick<LtiFaceDeps, 'discoveryOf' | 'insight'>;

/** What `views/lti/partials/results.eta` and, for pages after the first, `more-results.eta`
 *  show. */
export type ResultsModel =
  | {
      readonly kind: 'problem';
      readonly field: string | null;
      readonly message: string;
      readonly canRetry: boolean;
    }
  | {
      readonly kind: 'found';
      readonly words: string;
      readonly notices: readonly string[];
      readonly quality: AnswerView['quality'];
      readonly wishes: AnswerView['wishes'];
      readonly count: string;
      /** What fits, then what almost does. */
      readonly groups: readonly ResultGroup<{ readonly card: Card }>[];
      /** Null on the last page. */
      readonly nextPage: number | null;
      /** Where nothing fits; else null. */
      readonly waysOut: WaysOutView | null;
      /** How many of each value there are, as JSON; null where the service does not say. */
      readonly facets: string | null;
      /** Where it is among the topics; null of a search for words. */
      readonly browse: Pick<BrowsedView, 'path' | 'here' | 'within'> | null;
    };

/** The page does not wait for the names of missing providers. */
const NAMES_MS = 300;

export async function readResults(
  deps: ResultsDeps,
  context: LaunchContext,
  defaults: SearchDefaults,
): Promise<ResultsModel> {
  const { t, query, launch } = context;
  const form = readSearchForm(query);
  try {
    if (form.q === '') {
      const browsed = await readBrowsed(deps, context, { form, defaults });
      if (browsed !== null) return toBrowsedResults(browsed);
      return { kind: 'problem', field: 'q', message: t('picker.problems.noWords'), canRetry: false };
    }
    const discovery = deps.discoveryOf(launch.tenantId);
    return await search({ deps, discovery, context, form, defaults });
  } catch (error) {
    return explain(error, context);
  }
}

function toBrowsedResults({ count, cards, nextPage, facets, ...browse }: BrowsedView): ResultsModel {
  return {
    ...{ kind: 'found', words: '', notices: [], quality: null, wishes: [], waysOut: null },
    count,
    groups: [{ line: null, items: cards.map((card) => ({ card })) }],
    nextPage,
    facets: writeFacets(facets),
    browse,
  };
}

interface Search {
  readonly deps: ResultsDeps;
  readonly discovery: Discovery;
  readonly context: LaunchContext;
  readonly form: SearchForm;
  readonly defaults: SearchDefaults;
}

async function search({ deps, discovery, context, form, defaults }: Search): Promise<ResultsModel> {
  const asked = toSearchFormQuery(form, defaults, context.locale);
  const { signal } = context;
  const result = await discovery.searchLearningObjects(asked, { signal, withDetails: true });
  if (form.page === 0)
    deps.insight.noteSearch({ ...findAsked(context, form.q), found: result, isWatched: true });
  const answer = await readAnswer(result, form.q, { discovery, context });
  const isNothing = result.items.length === 0;
  // Where a later page is empty, the earlier ones stay as they are.
  const [almost, waysOut] = await Promise.all([
    discovery.findNearMisses(asked, result, { signal }),
    isNothing && form.page === 0 ? readWaysOut(discovery, asked, context) : null,
  ]);
  const toItems = async (found: readonly FoundObject[]) => {
    const cards = await readCards(
      found.map((item) => ({ ...item, words: form.q })),
      deps,
      context,
    );
    return cards.map((card) => ({ card }));
  };
  return {
    kind: 'found',
    words: form.q,
    ...answer,
    count: isNothing ? context.t('search.nothing.title', { words: form.q }) : answer.count,
    groups: await toResultGroups({ items: result.items, almost }, toItems, { ...context, form }),
    nextPage: result.hasMore && !isNothing ? form.page + 1 : null,
    waysOut,
    facets: result.facets === undefined ? null : writeFacets(result.facets),
    browse: null,
  };
}

/** Names of providers are asked for only where some are missing. */
async function readAnswer(
  result: SearchResult,
  typed: string,
  { discovery, context }: Pick<Search, 'discovery' | 'context'>,
): Promise<AnswerView> {
  const { signal } = context;
  const lists = result.missing.length > 0 ? await discovery.lists({ signal, timeoutMs: NAMES_MS }) : null;
  return toAnswerView(result, { typed, providers: lists?.providers ?? [] }, context);
}

function writeFacets({ provider, type, bloom, lang }: Facets): string {
  const fields = Object.entries({ provider, type, bloom, lang });
  return JSON.stringify(
    Object.fromEntries(fields.map(([name, counts]) => [name, Object.fromEntries(counts)])),
  );
}

/** Errors that the reader can do something about are shown in place. Errors: all others. */
function explain(error: unknown, { t }: LaunchContext): ResultsModel {
  const say = (words: string, field: string | null = null, canRetry = false): ResultsModel => ({
    kind: 'problem',
    field,
    message: t(words),
    canRetry,
  });
  if (isPassingError(error)) return say('picker.problems.unavailable', null, true);
  const wrong = findWrongChoice(error);
  if (wrong !== null) return say(wrong.words, wrong.field);
  if (error instanceof AppError && error.code === 'PARAMETERS_INVALID') return say('picker.problems.refused');
  throw error;
}
