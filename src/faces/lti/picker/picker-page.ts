import { cutLearningQueryWords, MAX_WORDS_LENGTH } from '#domain/learning-object-query';
import type { Launch } from '#domain/lti/launch';
import { embeddingSources } from '#domain/sites/sites';
import type { SearchDefaults } from '#domain/tenant';
import { type FiltersView, toFiltersView } from '#faces/search-view/filters';
import { createSearchForm, readSearchForm } from '#faces/search-view/search-form';
import { locales, readLanguages } from '#faces/words/i18n';
import type { TenantRecord } from '#ports/store/store';
import type { Discovery } from '#services/searching/discovery';
import type { LtiFaceDeps } from '../deps.ts';
import { toFrameModel } from '../frame.ts';
import { type LaunchContext, type LtiReply, makePage } from '../route.ts';
import { readBrowseStart } from './browse/browse.ts';
import { askForOwn } from './own.ts';
import { toPlanView } from './plan.ts';
import { readTray } from './tray.ts';

/** The page does not wait longer for the lists of choices; late ones follow. */
const LISTS_MS = 300;

export async function showPickerPage(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { launch, t } = context;
  const tenant = await deps.tenants.getTenant(launch.tenantId);
  const { defaults } = tenant;
  const discovery = deps.discoveryOf(launch.tenantId);
  const [{ upstream }, filters, tray, browse] = await Promise.all([
    deps.upstreams.connectionOf(launch.tenantId),
    readPickerFilters(discovery, context, { defaults, timeoutMs: LISTS_MS }),
    readTray(deps, context),
    readBrowseStart(deps, context, defaults),
  ]);
  const told = dropToolNames(launch, tenant, deps.publicUrl);
  const model = {
    title: t('picker.title'),
    style: 'lti-picker',
    script: 'picker/picker',
    tray,
    plan: toPlanView(told),
    browse,
    form: readSearchForm(context.query),
    isBrowsing: context.query.has('topic'),
    starts: listStarts(told),
    maxWordsLength: MAX_WORDS_LENGTH,
    filters,
    // Objects of one's own are not mixed into what an upstream finds.
    own: upstream === null ? askForOwn : null,
    // A platform's dialog has the right height; the frame of an object in a course is as high as
    // the object left it.
    frame: launch.deepLinking === null ? toFrameModel(context) : null,
  };
  return makePage('picker', model, { frames: embeddingSources });
}

/** As the address says, where it has a search; else as the tenant's people begin. */
export async function readPickerFilters(
  discovery: Pick<Discovery, 'lists'>,
  { query, t, locale, signal }: LaunchContext,
  { defaults, timeoutMs }: { readonly defaults: SearchDefaults; readonly timeoutMs: number },
): Promise<FiltersView> {
  const isSearch = query.has('q') || query.has('topic');
  const form = isSearch ? readSearchForm(query) : createSearchForm(defaults);
  return toFiltersView(await discovery.lists({ signal, timeoutMs }), { t, locale, form, defaults });
}

/** What the platform says the objects are for, as a start for a search; each once. */
function listStarts({ context, deepLinking, resourceLink }: Launch): string[] {
  const said = [resourceLink?.title, deepLinking?.title, context?.title];
  const texts = said.map((text) => cutLearningQueryWords(text ?? '')).filter((text) => text !== '');
  return [...new Set(texts)];
}

/** The names of the tool in platforms, in every language, and its former name. Moodle uses the name
 *  as the title of a place without one. */
function listToolNames({ branding }: Pick<TenantRecord, 'branding'>, publicUrl: string): string[] {
  const { translatorOf } = readLanguages();
  const words = ['register.tool.label', 'register.tool.description'];
  const said = locales.flatMap((locale) => words.map((key) => translatorOf(locale)(key)));
  const { host, hostname } = new URL(publicUrl);
  return [
    'Skilldock',
    'Learning objects',
    host,
    hostname,
    ...said,
    ...(branding.title === null ? [] : [branding.title]),
  ];
}

/** The launch without titles and texts that only say which tool it is: they tell nothing of the
 *  course. */
function dropToolNames(launch: Launch, tenant: Pick<TenantRecord, 'branding'>, publicUrl: string): Launch {
  const names = new Set(listToolNames(tenant, publicUrl).map(fold));
  const keep = (text: string | null) => (text !== null && names.has(fold(text)) ? null : text);
  const { resourceLink: link, deepLinking: asked } = launch;
  return {
    ...launch,
    resourceLink: link && { ...link, title: keep(link.title), description: keep(link.description) },
    deepLinking: asked && { ...asked, title: keep(asked.title), text: keep(asked.text) },
  };
}

const fold = (text: string) => text.trim().replace(/\s+/g, ' ').toLowerCase();
