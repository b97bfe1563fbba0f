import { cutLearningQueryWords, MAX_WORDS_LENGTH } from '#domain/learning-object-query';
import type { Launch } from '#domain/lti/launch';
import { embeddingSources } from '#domain/sites/sites';
import type { SearchDefaults } from '#domain/tenant';
import { type FiltersView, toFiltersView } from '#faces/search-view/filters';
import { createSearchForm, readSearchForm } from '#faces/search-view/search-form';
import type { Discovery } from '#services/searching/discovery';
import type { LtiFaceDeps } from '../deps.ts';
import { toFrameModel } from '../frame.ts';
import { type LaunchContext, type LtiReply, makePage } from '../route.ts';
import { dropToolNames } from './activity.ts';
import { readBrowseStart } from './browse.ts';
import { createOwnLinkView } from './own-link.ts';
import { toPlanView } from './plan.ts';
import { readTray } from './tray.ts';

/** How long the page waits for the filters, which are otherwise fetched afterwards. */
const LISTS_TIMEOUT_MS = 300;

export async function showPickerPage(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { launch, t } = context;
  const tenant = await deps.tenants.getTenant(launch.tenantId);
  const { defaults } = tenant;
  const discovery = deps.discoveryOf(launch.tenantId);
  const describedLaunch = dropToolNames(launch, tenant, deps.publicUrl);
  const [own, filters, tray, browse, kept] = await Promise.all([
    createOwnLinkView(deps, context),
    readPickerFilters(discovery, context, { defaults, timeoutMs: LISTS_TIMEOUT_MS }),
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
    plan: toPlanView(describedLaunch),
    browse,
    form: readSearchForm(context.query),
    isBrowsing: context.query.has('topic'),
    starts: listStarts(describedLaunch),
    maxWordsLength: MAX_WORDS_LENGTH,
    filters,
    own,
    // The dialog of a platform has the right height; the frame of an object in a course does not.
    frame: launch.deepLinking === null ? toFrameModel(context) : null,
  };
  return makePage('picker', model, { frames: embeddingSources });
}

export async function readPickerFilters(
  discovery: Pick<Discovery, 'lists'>,
  { query, t, locale, signal }: LaunchContext,
  { defaults, timeoutMs }: { readonly defaults: SearchDefaults; readonly timeoutMs: number },
): Promise<FiltersView> {
  const isSearch = query.has('q') || query.has('topic');
  const form = isSearch ? readSearchForm(query) : createSearchForm(defaults);
  return toFiltersView(await discovery.lists({ signal, timeoutMs }), { t, locale, form, defaults });
}

/** Searches to begin with: the titles of the link, of the request and of the course. */
function listStarts({ context, deepLinking, resourceLink }: Launch): string[] {
  const titles = [resourceLink?.title, deepLinking?.title, context?.title];
  const texts = titles.map((text) => cutLearningQueryWords(text ?? '')).filter((text) => text !== '');
  return [...new Set(texts)];
}
