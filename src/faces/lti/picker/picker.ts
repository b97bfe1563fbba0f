import { z } from 'zod';
import { toTaxonomyName } from '#domain/catalog';
import type { LearningObject } from '#domain/learning-object';
import { cutQueryWords, MAX_WORDS_LENGTH } from '#domain/learning-object-query';
import type { Launch } from '#domain/lti/launch';
import { embeddingSources } from '#domain/sites/sites';
import type { SearchDefaults } from '#domain/tenant';
import { cleanText } from '#domain/text';
import { AppError, hasErrorCode, isPassingError } from '#errors';
import { type HandleLookup, MAX_HANDLE_LENGTH, openHandle } from '#faces/object-view/handle';
import { findLookFrame, findLookLike } from '#faces/object-view/look';
import { linkSkillPage } from '#faces/object-view/skill-address';
import { type FiltersView, toFiltersView } from '#faces/search-view/filters';
import { createSearchForm, readSearchForm } from '#faces/search-view/search-form';
import type { Discovery } from '#services/searching/discovery';
import type { LtiFaceDeps } from '../deps.ts';
import { toFrameModel } from '../frame.ts';
import { replaceDeadLink, requireChange } from '../object/replace.ts';
import { describeDeadLink } from '../object/replies.ts';
import { listSimilarReplacements } from '../object/similar.ts';
import { type LaunchContext, type LtiReply, type LtiRoute, makeLtiFragment, makeLtiPage } from '../route.ts';
import { dropToolNames } from './activity.ts';
import { readBrowseStart } from './browse.ts';
import { noteLookedIntoCard, readPickerCards } from './cards.ts';
import { submitChoice } from './choice.ts';
import { addOwnLink, createOwnLinkView, readOwnLinkAddress } from './own-link.ts';
import { makePickerPlan, toPickerPlanView } from './plan.ts';
import { readPickerResults } from './results.ts';
import { changeShelf, showShelfLink, showShelfTab, submitShelfLink } from './shelf.ts';
import { readTray } from './tray.ts';

const LISTS_TIMEOUT_MS = 10_000;
/** How long the page waits for the filters, which its script can fetch later. */
const PAGE_LISTS_TIMEOUT_MS = 300;
const MAX_SIMILAR_TERMS = 12;

export const pickerRoutes: readonly LtiRoute[] = [
  { method: 'get', path: '/picker', access: 'picker', handle: showPickerPage },
  { method: 'get', path: '/picker/results', access: 'picker', handle: showPickerResults },
  { method: 'get', path: '/picker/similar', access: 'picker', handle: showPickerSimilarTerms },
  { method: 'get', path: '/picker/filters', access: 'picker', handle: showPickerFilters },
  { method: 'get', path: '/picker/complete', access: 'picker', handle: completePickerWords },
  { method: 'post', path: '/picker/preview', access: 'picker', handle: showPickerPreview },
  { method: 'post', path: '/picker/preview/like', access: 'picker', handle: showPickerSimilarObjects },
  // Enough for 50 chosen objects.
  { method: 'post', path: '/picker/choose', access: 'choice', maxForm: '4mb', handle: submitChoice },
  { method: 'post', path: '/picker/kept', access: 'picker', maxForm: '4mb', handle: keepPickerDraft },
  { method: 'post', path: '/picker/plan', access: 'picker', handle: makePickerPlan },
  { method: 'post', path: '/picker/own/read', access: 'picker', handle: readOwnLinkAddress },
  { method: 'post', path: '/picker/own', access: 'picker', handle: addOwnLink },
  { method: 'get', path: '/picker/dead', access: 'picker', handle: showPickerDeadLinks },
  { method: 'post', path: '/picker/dead/replace', access: 'picker', handle: replacePickerDeadLink },
  { method: 'get', path: '/picker/shelf', access: 'picker', handle: showShelfTab },
  { method: 'post', path: '/picker/shelf', access: 'picker', handle: changeShelf },
  { method: 'get', path: '/picker/shelf/link', access: 'picker', handle: showShelfLink },
  { method: 'post', path: '/picker/shelf/link', access: 'picker', handle: submitShelfLink },
];

const readPickerDefaults = async ({ tenants }: LtiFaceDeps, { launch }: LaunchContext) =>
  (await tenants.getTenant(launch.tenantId)).defaults;

async function showPickerPage(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { launch, t } = context;
  const tenant = await deps.tenants.getTenant(launch.tenantId);
  const { defaults } = tenant;
  const discovery = deps.discoveryOf(launch.tenantId);
  const describedLaunch = dropToolNames(launch, tenant, deps.publicUrl);
  const [own, filters, tray, browse, kept] = await Promise.all([
    createOwnLinkView(deps, context),
    readPickerFilters(discovery, context, { defaults, timeoutMs: PAGE_LISTS_TIMEOUT_MS }),
    readTray(deps, describedLaunch, context),
    readBrowseStart(deps, context, defaults),
    deps.launches.findDraft(launch),
  ]);
  const model = {
    title: t('picker.title'),
    style: 'lti-picker',
    script: 'picker/picker',
    tray,
    kept,
    plan: toPickerPlanView(describedLaunch),
    browse,
    form: readSearchForm(context.query),
    isBrowsing: context.query.has('topic'),
    starts: listPickerStarts(describedLaunch),
    maxWordsLength: MAX_WORDS_LENGTH,
    filters,
    own,
    // Only the frame of an object in a course has to be resized, not the dialog of a request.
    frame: launch.deepLinking === null ? toFrameModel(context) : null,
  };
  return makeLtiPage('picker', model, { frames: embeddingSources });
}

async function readPickerFilters(
  discovery: Pick<Discovery, 'lists'>,
  { query, t, locale, signal }: LaunchContext,
  { defaults, timeoutMs }: { readonly defaults: SearchDefaults; readonly timeoutMs: number },
): Promise<FiltersView> {
  const isSearch = query.has('q') || query.has('topic');
  const lists = await discovery.lists({ signal, timeoutMs });
  const form = isSearch ? readSearchForm(query, lists) : createSearchForm(defaults);
  return toFiltersView(lists, { t, locale, form, defaults });
}

function listPickerStarts({ context, deepLinking, resourceLink }: Launch): string[] {
  const titles = [resourceLink?.title, deepLinking?.title, context?.title];
  const texts = titles.map((text) => cutQueryWords(text ?? '')).filter((text) => text !== '');
  return [...new Set(texts)];
}

/** Reads the page's stored values. Errors: PARAMETERS_INVALID unless it is a JSON object. */
function readPickerDraft(text: string): string {
  try {
    return JSON.stringify(z.record(z.string(), z.unknown()).parse(JSON.parse(text)));
  } catch (cause) {
    throw new AppError('PARAMETERS_INVALID', 'What is to be kept is not a JSON object.', { cause });
  }
}

/** Stores the values of the page for browsers that block the storage of frames. */
async function keepPickerDraft({ launches }: LtiFaceDeps, { launch, form }: LaunchContext): Promise<LtiReply> {
  await launches.keepDraft(launch, readPickerDraft(form.get('kept') ?? ''));
  return { kind: 'json', body: {} };
}

async function showPickerResults(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const results = await readPickerResults(deps, context, await readPickerDefaults(deps, context));
  const isFirstPage = (context.query.get('page') ?? '0') === '0';
  return makeLtiFragment(isFirstPage ? 'results' : 'more-results', { results });
}

async function showPickerFilters(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const filters = await readPickerFilters(deps.discoveryOf(context.launch.tenantId), context, {
    defaults: await readPickerDefaults(deps, context),
    timeoutMs: LISTS_TIMEOUT_MS,
  });
  return makeLtiFragment('filters', { filters });
}

/** Replies with completions of the typed words, which are not cached, as they differ by tenant. */
async function completePickerWords({ discoveryOf }: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { launch, query, signal, locale } = context;
  const typed = query.get('q') ?? '';
  if (typed.length > MAX_WORDS_LENGTH) return { kind: 'json', body: [] };
  const { suggestions } = await discoveryOf(launch.tenantId).complete(cleanText(typed), locale, { signal });
  return { kind: 'json', body: suggestions.map(({ label }) => label) };
}

async function showPickerSimilarTerms(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const words = cutQueryWords(context.query.get('q') ?? '');
  const terms = words === '' ? [] : await findPickerSimilarTerms(deps, context, words);
  return makeLtiFragment('similar', { similar: { words, terms } });
}

async function findPickerSimilarTerms(deps: LtiFaceDeps, { launch, locale, signal }: LaunchContext, words: string) {
  const { discoveryOf, publishes } = deps;
  const request = { keywords: words, max: MAX_SIMILAR_TERMS, prefer: locale };
  try {
    const { terms } = await discoveryOf(launch.tenantId).findSkills(request, { signal });
    const searched = new Set(splitPickerWords(words));
    return terms
      .filter(({ label }) => label.toLowerCase() !== words.toLowerCase())
      .map((term) => ({
        ...term,
        source: toTaxonomyName(term.source),
        // A label with a word that the search lacks can make the search narrower.
        canNarrow: splitPickerWords(term.label).some((word) => !searched.has(word)),
        about: linkSkillPage({ publishes }, term.concept),
      }));
  } catch (error) {
    if (isPassingError(error)) return null;
    throw error;
  }
}

const splitPickerWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

async function showPickerPreview(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const opened = findPickerCardByHandle(deps, context);
  if (opened === null) return makeLtiFragment('preview', { preview: null });
  noteLookedIntoCard(deps, context, opened);
  deps.insight.noteObject(context.launch.tenantId, 'opened', opened.object);
  const [card] = await readPickerCards([opened], deps, context);
  return makeLtiFragment('preview', { preview: { card, ...findLookFrame(opened.object) } });
}

/** Shows objects like the previewed one. The search is not counted, as nobody typed it. */
async function showPickerSimilarObjects(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { tenants, trialOf, keyring, onProblem } = deps;
  const { launch, signal } = context;
  const { tenantId } = launch;
  const opened = findPickerCardByHandle(deps, context);
  if (opened === null) return makeLtiFragment('like', { items: [], action: null });
  const tenant = await tenants.getTenant(tenantId);
  const search = { discovery: trialOf(tenantId), tenant, signal, onProblem };
  const items = await findLookLike({ search, words: context, keyring, tenantId }, opened.object);
  return makeLtiFragment('like', { items, action: null });
}

const handleField = z.string().min(1).max(MAX_HANDLE_LENGTH);

/** Opens the handle of a form; null for an invalid one, or one of another tenant. */
function findPickerCardByHandle({ keyring }: LtiFaceDeps, { form, launch }: LaunchContext): HandleLookup | null {
  const { data: handle } = handleField.safeParse(form.get('handle'));
  if (handle === undefined) return null;
  try {
    return openHandle(handle, { keyring, tenantId: launch.tenantId });
  } catch (error) {
    if (hasErrorCode(error, 'FORM_INVALID')) return null;
    throw error;
  }
}

const SEARCH_TIMEOUT_MS = 4_000;
const MAX_PROPOSALS = 3;
const MAX_SEARCHES = 5;

async function showPickerDeadLinks(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(SEARCH_TIMEOUT_MS)]);
  const findProposals = (object: LearningObject) => listSimilarReplacements(deps, { ...context, signal }, object);
  const links = (await listPickerDeadLinks(deps, context)).map(async ({ link, placement, check }, index) => ({
    id: link.id,
    placementId: placement.id,
    problem: describeDeadLink(link.title ?? placement.title, check, context),
    proposals: index < MAX_SEARCHES ? (await findProposals(placement.object)).slice(0, MAX_PROPOSALS) : [],
  }));
  return makeLtiFragment('dead-links', { links: await Promise.all(links), token: context.token });
}

async function replacePickerDeadLink(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { form, launch, token } = context;
  await requireChange(deps, context);
  const dead = (await listPickerDeadLinks(deps, context)).find(
    ({ link, placement }) => link.id === form.get('link') && placement.id === form.get('placement'),
  );
  if (dead !== undefined) {
    const scope = { keyring: deps.keyring, tenantId: launch.tenantId };
    await replaceDeadLink(deps, context, dead, openHandle(form.get('handle') ?? '', scope));
  }
  // A link that is no longer dead is missing from the list of the page.
  return { kind: 'redirect', to: `/lti/picker?${new URLSearchParams({ launch: token })}` };
}

async function listPickerDeadLinks({ deadLinks }: LtiFaceDeps, { launch }: LaunchContext) {
  const { tenantId, registrationId, context } = launch;
  return context === null ? [] : deadLinks.listOfCourse({ tenantId, registrationId, contextId: context.id });
}
