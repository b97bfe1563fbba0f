import { type Provider, toTaxonomyName } from '#domain/catalog';
import { MAX_PAGE } from '#domain/learning-object-query';
import { DEFAULT_TENANT } from '#domain/tenant';
import { isPassingError } from '#errors';
import type { Term } from '#ports/learning-service';
import type { Discovery } from '#services/searching/discovery';
import type { LearningObjectHit, SearchResult } from '#services/searching/discovery/results';
import { listSkillSpellings } from '#services/searching/discovery/skills';
import { listUseFacts } from '../object-view/facts.ts';
import { sealHandle } from '../object-view/handle.ts';
import { toObjectView } from '../object-view/object-view.ts';
import { linkSkillPage } from '../object-view/skill-address.ts';
import { findWrongAnswerChoice, readAnswerWaysOut, toAnswerView } from '../search-view/answer-view.ts';
import { toResultGroups } from '../search-view/result-groups.ts';
import { type SearchForm, toSearchFormQuery } from '../search-view/search-form.ts';
import type { HomeFaceDeps } from './deps.ts';
import type { Reader } from './pages.ts';
import { homeDefaults, ITEMS_PER_PAGE } from './search-address.ts';

const MAX_SIMILAR = 12;
const MAX_SUGGESTIONS = 3;
const SKILLS_MS = 3_000;

export async function readResultsModel(
  deps: Pick<HomeFaceDeps, 'discovery' | 'publishes' | CardDeps>,
  form: SearchForm,
  reader: Reader,
) {
  const { discovery, publishes } = deps;
  const { signal } = reader;
  const query = toSearchFormQuery(form, homeDefaults, reader.locale);
  const [{ result, problem }, skills] = await Promise.all([
    discovery.searchLearningObjects(query, { signal, withDetails: true }).then(
      (result) => ({ result, problem: null }),
      (error: unknown) => ({ result: null, problem: explainWrongChoice(error, reader) }),
    ),
    findResultSkills(discovery, form, reader),
  ]);
  const items = result?.items ?? [];
  const [almost, waysOut] = await Promise.all([
    result === null ? [] : discovery.findNearMisses(query, result, { signal }),
    items.length > 0 ? null : readAnswerWaysOut(discovery, query, reader),
  ]);
  const toItems = (hits: readonly LearningObjectHit[]) => readResultCards(deps, hits, reader);
  return {
    result,
    similar:
      skills &&
      listDistinctLabels(skills.terms, form.q).map((term) => ({
        ...term,
        source: toTaxonomyName(term.source),
        about: linkSkillPage({ publishes }, term.concept),
      })),
    suggestions: listSkillSpellings(skills?.suggestions ?? [], form.q).slice(0, MAX_SUGGESTIONS),
    /** @param providers name those that are missing from the answer */
    answerFor: (providers: readonly Provider[]) => result && toAnswerView(result, { typed: form.q, providers }, reader),
    results: {
      groups: await toResultGroups({ items, almost }, toItems, { ...reader, form }),
      isTotalExact: result?.isTotalExact ?? true,
      first: form.page * ITEMS_PER_PAGE + 1,
      pages: result === null ? 0 : countResultPages(result),
    },
    waysOut,
    problem,
  };
}

/** Finds skills like the words. Returns null if that fails, as results are useful without them. */
async function findResultSkills(discovery: Discovery, { q, lang }: SearchForm, { locale, signal: caller }: Reader) {
  const signal = AbortSignal.any([caller, AbortSignal.timeout(SKILLS_MS)]);
  try {
    const request = { keywords: q, max: MAX_SIMILAR, prefer: locale, ...(lang && { lang }) };
    return await discovery.findSkills(request, { signal });
  } catch (error) {
    const isLate = signal.aborted && !caller.aborted;
    if (isLate || isPassingError(error)) return null;
    throw error;
  }
}

type CardDeps = 'keyring' | 'placements' | 'tenantId' | 'onProblem';

export async function readResultCards(deps: Pick<HomeFaceDeps, CardDeps>, hits: readonly CardHit[], reader: Reader) {
  const { keyring, placements, tenantId, onProblem } = deps;
  const urls = hits.map(({ object }) => object.url);
  const uses = await placements.countUses(tenantId, urls).catch(onProblem);
  return hits.map((hit) => ({
    ...toResultCard(hit, reader, keyring),
    uses: listUseFacts(uses?.get(hit.object.url), reader),
  }));
}

type CardHit = Pick<LearningObjectHit, 'object' | 'highlight'>;

export function toResultCard({ object, highlight }: CardHit, reader: Reader, keyring: HomeFaceDeps['keyring']) {
  return {
    view: toObjectView(object, reader, highlight),
    handle: sealHandle({ object, requestId: null }, { keyring, tenantId: DEFAULT_TENANT }),
  };
}

/** Returns the number of pages. If the total is an estimate, only the next page is certain. */
function countResultPages({ items, totalItems, isTotalExact, page, hasMore }: SearchResult): number {
  if (isTotalExact) return Math.min(Math.ceil(totalItems / ITEMS_PER_PAGE), MAX_PAGE + 1);
  if (items.length === 0) return Math.min(page, 1);
  return Math.min(page + (hasMore ? 2 : 1), MAX_PAGE + 1);
}

/** Explains a filter value that does not exist. Errors: rethrows any other error. */
export function explainWrongChoice(error: unknown, { t }: Reader): string {
  const wrongChoice = findWrongAnswerChoice(error);
  if (wrongChoice === null) throw error;
  return t(wrongChoice.hintKey);
}

/** Returns terms with different labels, and none with the words of the search as its label. */
function listDistinctLabels(terms: readonly Term[], q: string): Term[] {
  const labels = new Set([q.toLowerCase()]);
  return terms.filter(({ label }) => {
    const folded = label.toLowerCase();
    const isNew = !labels.has(folded);
    labels.add(folded);
    return isNew;
  });
}
