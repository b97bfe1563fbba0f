import { z } from 'zod';
import { cutLearningQueryWords, MAX_WORDS_LENGTH } from '#domain/learning-object-query';
import { cleanText } from '#domain/text';
import { AppError, isPassingError } from '#errors';
import { type FoundHandle, MAX_HANDLE_LENGTH, openHandle } from '#faces/object-view/handle';
import { findLookFrame, findLookLike, type LookFrame, type LookLike } from '#faces/object-view/look';
import type { Discovery } from '#services/searching/discovery';
import type { LtiFaceDeps } from '../deps.ts';
import type { LaunchContext, LtiReply, LtiRoute } from '../route.ts';
import { type Card, readCards } from './cards.ts';
import { submitChoice } from './choice.ts';
import { deadLinksRoutes } from './dead-links.ts';
import { noteLookedInto } from './looked-into.ts';
import { ownRoutes } from './own.ts';
import { readPickerFilters, showPickerPage } from './picker-page.ts';
import { planRoute } from './plan.ts';
import { readResults } from './results.ts';
import { shelfRoutes } from './shelf.ts';
import { shelfLinkRoutes } from './shelf-link.ts';

/** At most 50 chosen objects. */
const MAX_CHOICE = '4mb';

/** Asked for after the page is there. */
const LATE_LISTS_MS = 10_000;

/** Finding learning objects from within a course, choosing some and giving them to the platform. */
export function pickerRoutes(deps: LtiFaceDeps): LtiRoute[] {
  const findDiscovery = ({ launch }: LaunchContext) => deps.discoveryOf(launch.tenantId);
  const readDefaults = async ({ launch }: LaunchContext) =>
    (await deps.tenants.getTenant(launch.tenantId)).defaults;
  return [
    { method: 'get', path: '/picker', access: 'picker', handle: (context) => showPickerPage(deps, context) },
    {
      method: 'get',
      path: '/picker/results',
      access: 'picker',
      async handle(context) {
        const results = await readResults(deps, context, await readDefaults(context));
        const isFirst = (context.query.get('page') ?? '0') === '0';
        return fragment(isFirst ? 'results' : 'more-results', { results });
      },
    },
    {
      method: 'get',
      path: '/picker/similar',
      access: 'picker',
      handle: async (context) =>
        fragment('similar', { similar: await readSimilar(findDiscovery(context), context) }),
    },
    {
      method: 'get',
      path: '/picker/filters',
      access: 'picker',
      async handle(context) {
        const filters = await readPickerFilters(findDiscovery(context), context, {
          defaults: await readDefaults(context),
          timeoutMs: LATE_LISTS_MS,
        });
        return fragment('filters', { filters });
      },
    },
    {
      method: 'get',
      path: '/picker/complete',
      access: 'picker',
      handle: (context) => complete(findDiscovery(context), context),
    },
    {
      method: 'post',
      path: '/picker/preview',
      access: 'picker',
      handle: async (context) => fragment('preview', { preview: await readPreview(deps, context) }),
    },
    {
      method: 'post',
      path: '/picker/preview/like',
      access: 'picker',
      handle: async (context) => fragment('like', { items: await readLike(deps, context), action: null }),
    },
    {
      method: 'post',
      path: '/picker/choose',
      maxForm: MAX_CHOICE,
      access: 'choice',
      handle: (context) => submitChoice(deps, context),
    },
    planRoute(deps),
    ...ownRoutes(deps),
    ...deadLinksRoutes(deps),
    ...shelfRoutes(deps),
    ...shelfLinkRoutes(deps),
  ];
}

/** Words that complete what is being typed, as an array of labels. Not cached, as they differ
 *  between tenants. */
async function complete(
  discovery: ReturnType<LtiFaceDeps['discoveryOf']>,
  { query, signal }: LaunchContext,
): Promise<LtiReply> {
  const typed = query.get('q') ?? '';
  if (typed.length > MAX_WORDS_LENGTH) return { kind: 'json', body: [] };
  const { suggestions } = await discovery.complete(cleanText(typed), { signal });
  return { kind: 'json', body: suggestions.map(({ label }) => label) };
}

function fragment(name: string, model: Readonly<Record<string, unknown>>): LtiReply {
  return { kind: 'fragment', view: `partials/${name}`, model };
}

const MAX_SIMILAR = 12;

/** Terms like the words of a search; `views/lti/partials/similar.eta` shows them. */
interface SimilarModel {
  readonly words: string;
  /** Null where they cannot be looked up now. */
  readonly terms: readonly SimilarTerm[] | null;
}

interface SimilarTerm {
  readonly label: string;
  readonly source: string;
  /** Whether it says more than the words. */
  readonly canNarrow: boolean;
}

/** Only an addition to the results, so never an error of an upstream. */
async function readSimilar(
  discovery: Pick<Discovery, 'findSkills'>,
  { query, locale, signal }: LaunchContext,
): Promise<SimilarModel> {
  const words = cutLearningQueryWords(query.get('q') ?? '');
  if (words === '') return { words, terms: [] };
  try {
    const request = { keywords: words, max: MAX_SIMILAR, prefer: locale };
    const { terms } = await discovery.findSkills(request, { signal });
    const others = terms.filter(({ label }) => label.toLowerCase() !== words.toLowerCase());
    return { words, terms: others.map((term) => ({ ...term, canNarrow: saysMore(term.label, words) })) };
  } catch (error) {
    if (!isPassingError(error)) throw error;
    return { words, terms: null };
  }
}

function saysMore(label: string, words: string): boolean {
  const said = new Set(wordsIn(words));
  return wordsIn(label).some((word) => !said.has(word));
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** What `views/lti/partials/preview.eta` shows. */
interface PreviewModel extends LookFrame {
  readonly card: Card;
}

const handleField = z.string().min(1).max(MAX_HANDLE_LENGTH);

/** Null for a handle that does not belong to this tenant. */
async function readPreview(
  deps: Pick<LtiFaceDeps, 'keyring' | 'shelf' | 'insight'>,
  context: LaunchContext,
): Promise<PreviewModel | null> {
  const found = findByHandle(deps.keyring, context);
  if (found === null) return null;
  noteLookedInto(deps, context, found);
  deps.insight.noteObject(context.launch.tenantId, 'opened', found.object);
  const [card] = await readCards([found], deps, context);
  return card === undefined ? null : { card, ...findLookFrame(found.object) };
}

/** Objects like the one that is looked at; none for a handle that does not belong to this tenant.
 *  Nobody searched for them, so nothing is counted. */
async function readLike(deps: LtiFaceDeps, context: LaunchContext): Promise<readonly LookLike[]> {
  const { keyring, onProblem } = deps;
  const { launch, signal } = context;
  const { tenantId } = launch;
  const found = findByHandle(keyring, context);
  if (found === null) return [];
  const tenant = await deps.tenants.getTenant(tenantId);
  const search = { discovery: deps.trialOf(tenantId), tenant, signal, onProblem };
  return findLookLike({ search, words: context, keyring, tenantId }, found.object);
}

function findByHandle(keyring: LtiFaceDeps['keyring'], { form, launch }: LaunchContext): FoundHandle | null {
  const handle = handleField.safeParse(form.get('handle'));
  if (!handle.success) return null;
  try {
    return openHandle(handle.data, { keyring, tenantId: launch.tenantId });
  } catch (error) {
    if (error instanceof AppError && error.code === 'FORM_INVALID') return null;
    throw error;
  }
}
