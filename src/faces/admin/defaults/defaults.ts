import { createLearningObjectQuery, cutLearningQueryWords, MAX_WORDS_LENGTH } from '#domain/learning-object-query';
import type { PictureLinks } from '#domain/picture';
import type { SearchDefaults } from '#domain/tenant';
import { type ObjectView, toObjectView, writeObjectViewLine } from '#faces/object-view/object-view';
import { toAnswerView } from '#faces/search-view/answer-view';
import type { Languages, Translate } from '#faces/words/i18n';
import type { TenantRecord } from '#ports/store/store';
import type { Discovery } from '#services/searching/discovery';
import type { AdminDeps } from '../deps.ts';
import { explainUpstreamError, type UpstreamFailure } from '../forms/error-words.ts';
import { type FormState, keepTyped, readForm, refuseFormChange } from '../forms/forms.ts';
import { type AdminRoute, makePage, makeRedirect, type Reply, type SignedInContext } from '../route.ts';
import {
  defaultsForm,
  defaultsLists,
  fillDefaultsForm,
  matches,
  models,
  writeLanguageChoice,
} from './defaults-form.ts';
import { readChoices } from './provider-choices.ts';

interface Shown {
  readonly form: FormState;
  readonly preview: Preview;
}

const path = '/tenants/:tenantId/defaults';

/** The defaults of searches of the tenant's people, with a preview of a search. */
export const defaultsRoutes: AdminRoute[] = [
  { method: 'get', path, access: 'viewer', handle: showDefaults },
  { method: 'post', path, access: 'manager', handle: saveDefaults },
  // Reloading the answer by its address, or changing its language, shows the form.
  { method: 'get', path: `${path}/preview`, access: 'viewer', handle: showDefaults },
  { method: 'post', path: `${path}/preview`, access: 'manager', handle: previewDefaults },
];

function learningOf({ upstreams }: AdminDeps, tenantId: string) {
  return () => upstreams.learningOf(tenantId);
}

async function showDefaultsForm(
  { t, locale }: SignedInContext,
  deps: AdminDeps,
  tenant: TenantRecord,
  { form, preview, status = 200 }: Shown & { readonly status?: number },
): Promise<Reply> {
  const { languages, pictures } = deps;
  const chosen = { providers: form.all('providers'), lang: (form.values.lang ?? '').slice(0, 2) };
  const options = { locale, t, languages, pictures, chosen };
  const choices = await readChoices(learningOf(deps, tenant.id), options);
  const language = writeLanguageChoice(tenant.defaults, { t, locale });
  const model = { tenant, form, preview, choices, language, models, matches, maxWords: MAX_WORDS_LENGTH };
  return makePage('tenant-defaults', model, { status });
}

async function showDefaults(context: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { languages, pictures, tenants, trialOf } = deps;
  const tenant = await tenants.getTenant(context.param('tenantId'));
  const words = cutLearningQueryWords(context.query.get('q') ?? '');
  const { locale, t } = context;
  const options = { words, defaults: tenant.defaults, locale, t, languages, pictures };
  const preview = await readPreview(trialOf(tenant.id), options);
  return showDefaultsForm(context, deps, tenant, { form: fillDefaultsForm(tenant, words), preview });
}

async function saveDefaults(context: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { languages, tenants } = deps;
  const { param, form, t, actor } = context;
  const tenant = await tenants.getTenant(param('tenantId'));
  const read = readForm(form, { schema: defaultsForm, lists: defaultsLists, t });
  if ('state' in read)
    return showDefaultsForm(context, deps, tenant, {
      form: read.state,
      preview: notYet(read.state),
      status: 422,
    });
  const { version, defaults, words } = read.data;
  try {
    await tenants.changeTenant(actor, tenant.id, { version, defaults });
    const query = words === '' ? '' : `?${new URLSearchParams({ q: words })}`;
    return makeRedirect(`/tenants/${tenant.id}/defaults${query}`, 'defaults-saved');
  } catch (error) {
    const now = await tenants.getTenant(tenant.id);
    const state = refuseFormChange(error, { form, t, languages, now });
    return showDefaultsForm(context, deps, now, { form: state, preview: { kind: 'no-words' }, status: 422 });
  }
}

async function previewDefaults(context: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { insight, languages, pictures, tenants, trialOf } = deps;
  const { param, form, t, locale } = context;
  const tenant = await tenants.getTenant(param('tenantId'));
  const read = readForm(form, { schema: defaultsForm, lists: defaultsLists, t });
  const preview =
    'state' in read
      ? notYet(read.state)
      : await readPreview(trialOf(tenant.id), { ...read.data, locale, t, languages, pictures });
  if ('data' in read) insight.keepWords(tenant.id, read.data.words);
  if (form.has('fragment')) return makePage('partials/defaults-preview', { preview });
  const state = 'state' in read ? read.state : keepTyped(form);
  return showDefaultsForm(context, deps, tenant, {
    form: state,
    preview,
    status: 'state' in read ? 422 : 200,
  });
}

function notYet({ problems }: FormState): Preview {
  return { kind: 'invalid', problems: Object.entries(problems) };
}

/** The content of the preview. */
type Preview =
  | { readonly kind: 'no-words' }
  | { readonly kind: 'invalid'; readonly problems: readonly (readonly [field: string, problem: string])[] }
  | ({ readonly kind: 'failed' } & UpstreamFailure)
  | { readonly kind: 'nothing'; readonly words: string; readonly isNarrow: boolean }
  | {
      readonly kind: 'results';
      readonly count: string;
      readonly quality: string | null;
      readonly items: readonly { readonly view: ObjectView; readonly facts: string }[];
    };

interface PreviewOptions {
  readonly words: string;
  readonly defaults: SearchDefaults;
  readonly locale: string;
  readonly t: Translate;
  readonly languages: Languages;
  readonly pictures: PictureLinks;
}

/** Searches with these defaults. A failure of the service becomes part of the preview. */
async function readPreview(
  discovery: Pick<Discovery, 'searchLearningObjects'>,
  options: PreviewOptions,
): Promise<Preview> {
  const { words, defaults, t, languages } = options;
  if (words === '') return { kind: 'no-words' };
  try {
    const result = await discovery.searchLearningObjects(createLearningObjectQuery(words, defaults, options.locale));
    const { providers, lang, freeOnly, model, match } = defaults;
    if (result.items.length === 0) {
      const isStrict = model === 'strict' || match === 'strict';
      const isNarrow = providers.length > 0 || lang !== null || freeOnly || isStrict;
      return { kind: 'nothing', words, isNarrow };
    }
    const { count, quality } = toAnswerView(result, { typed: words, providers: [] }, options);
    const views = result.items.map(({ object }) => toObjectView(object, options));
    const items = views.map((view) => ({ view, facts: writeObjectViewLine(view) }));
    return { kind: 'results', count, quality, items };
  } catch (error) {
    return { kind: 'failed', ...explainUpstreamError(error, t, languages) };
  }
}
