import type { SearchDefaults } from '../../../domain/tenant.ts';
import { AppError, isPassingError } from '../../../errors.ts';
import type { Discovery } from '../../../services/discovery/discovery.ts';
import type { SearchResult } from '../../../services/discovery/results.ts';
import { type AnswerView, toAnswerView } from '../../search-view/answer-view.ts';
import { readSearchForm, type SearchForm, toSearchFormQuery } from '../../search-view/search-form.ts';
import { readWaysOut, type WaysOutView } from '../../search-view/ways-out.ts';
import type { LtiFaceDeps } from '../deps.ts';
import type { LaunchContext } from '../route.ts';
import { type Card, readCards } from './cards.ts';
import { findAsked } from './looked-into.ts';

export type ResultsDeps = Pick<LtiFaceDeps, 'keyring' | 'shelf' | 'discoveryOf' | 'insight'>;

/** What `views/lti/partials/results.eta` and, for pages after the first, `more-results.eta` show. */
export type ResultsModel =
  | {
      readonly kind: 'problem';
      readonly field: string | null;
      readonly message: string;
      readonly canRetry: boolean;
    }
  | {
      readonly kind: 'nothing';
      readonly words: string;
      readonly notices: readonly string[];
      readonly waysOut: WaysOutView;
    }
  | {
      readonly kind: 'found';
      readonly words: string;
      readonly notices: readonly string[];
      readonly quality: AnswerView['quality'];
      readonly count: string;
      readonly cards: readonly Card[];
      /** Null on the last page. */
      readonly nextPage: number | null;
      /** How many of each value there are, as JSON; null where the service does not say. */
      readonly facets: string | null;
    };

/** The page does not wait for the names of missing providers. */
const NAMES_MS = 300;

export async function readResults(
  deps: ResultsDeps,
  context: LaunchContext,
  defaults: SearchDefaults,
): Promise<ResultsModel> {
  const { t, query, launch } = context;
  const { form, problem } = readSearchForm(query, defaults);
  if (problem !== null)
    return {
      kind: 'problem',
      field: problem.field,
      message: t(`picker.problems.${problem.name}`),
      canRetry: false,
    };
  const discovery = deps.discoveryOf(launch.tenantId);
  try {
    return await search({ deps, discovery, context, form, defaults });
  } catch (error) {
    return explain(error, context);
  }
}

interface Search {
  readonly deps: ResultsDeps;
  readonly discovery: Discovery;
  readonly context: LaunchContext;
  readonly form: SearchForm;
  readonly defaults: SearchDefaults;
}

async function search({ deps, discovery, context, form, defaults }: Search): Promise<ResultsModel> {
  const asked = toSearchFormQuery(form, defaults);
  const { signal } = context;
  const result = await discovery.searchLearningObjects(asked, { signal, withDetails: true });
  if (form.page === 0)
    deps.insight.noteSearch({ ...findAsked(context, form.q), found: result, isWatched: true });
  const { count, quality, notices } = await readAnswer(result, form.q, { discovery, context });
  // Where a later page is empty, the earlier ones stay as they are.
  if (result.items.length === 0 && form.page === 0)
    return { kind: 'nothing', words: form.q, notices, waysOut: await readWaysOut(discovery, asked, context) };
  return {
    kind: 'found',
    words: form.q,
    notices,
    quality,
    count,
    cards: await readCards(
      result.items.map((item) => ({ ...item, words: form.q })),
      deps,
      context,
    ),
    nextPage: result.hasMore && result.items.length > 0 ? form.page + 1 : null,
    facets: facetsOf(result),
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

function facetsOf({ facets }: SearchResult): string | null {
  if (facets === undefined) return null;
  const { provider, type, bloom, lang } = facets;
  const fields = Object.entries({ provider, type, bloom, lang });
  return JSON.stringify(
    Object.fromEntries(fields.map(([name, counts]) => [name, Object.fromEntries(counts)])),
  );
}

/** Errors that the reader can do something about are shown in place. Errors: all others. */
function explain(error: unknown, { t }: LaunchContext): ResultsModel {
  const say = (name: string, field: string | null = null, canRetry = false): ResultsModel => ({
    kind: 'problem',
    field,
    message: t(`picker.problems.${name}`),
    canRetry,
  });
  if (isPassingError(error)) return say('unavailable', null, true);
  if (!(error instanceof AppError)) throw error;
  if (error.code === 'PLACE_UNKNOWN') return say('placeUnknown', 'address');
  if (error.code === 'PROVIDER_UNKNOWN') return say('providerUnknown', 'provider');
  if (error.code === 'PARAMETERS_INVALID') return say('refused');
  throw error;
}
