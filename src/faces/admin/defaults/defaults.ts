import { z } from 'zod';
import { createLearningObjectQuery, cutQueryWords, MAX_WORDS_LENGTH } from '#domain/learning-object-query';
import type { SearchDefaults } from '#domain/tenant';
import { chooseLogos } from '#faces/object-view/logos';
import { toObjectView, writeObjectViewLine } from '#faces/object-view/object-view';
import { toAnswerView } from '#faces/search-view/answer-view';
import type { Translate } from '#faces/words/i18n';
import { findLanguageName, listLanguageNames } from '#faces/words/language-names';
import type { TenantRecord } from '#ports/store/store';
import * as forms from '../forms/forms.ts';
import { get, makePage, makeRedirect, type PageReply, post, type Reply, type SignedInContext } from '../route.ts';

const PATH = '/tenants/:tenantId/defaults';

export const defaultsRoutes = [
  get(PATH, 'viewer', showDefaults),
  post(PATH, 'manager', saveDefaults),
  // Reloading the answer by its address, or changing its language, shows the form.
  get(`${PATH}/preview`, 'viewer', showDefaults),
  post(`${PATH}/preview`, 'manager', previewDefaults),
];

async function showDefaultsForm(
  context: SignedInContext,
  tenant: TenantRecord,
  { form, preview }: { readonly form: forms.FormState; readonly preview: object },
): Promise<PageReply> {
  const chosen = { providers: form.all('providers'), lang: (form.values.lang ?? '').slice(0, 2) };
  const choices = await readDefaultsChoices(context, tenant.id, chosen);
  const language = writeDefaultLanguage(tenant.defaults, context);
  const model = { tenant, form, preview, choices, language, models, matches, maxWords: MAX_WORDS_LENGTH };
  return makePage('tenant-defaults', model);
}

async function showDefaults(context: SignedInContext): Promise<Reply> {
  const { param, query, tenants } = context;
  const tenant = await tenants.getTenant(param('tenantId'));
  const words = cutQueryWords(query.get('q') ?? '');
  const preview = await readDefaultsPreview(context, tenant.id, { words, defaults: tenant.defaults });
  return showDefaultsForm(context, tenant, { form: fillDefaultsForm(tenant, words), preview });
}

function saveDefaults(context: SignedInContext): Promise<Reply> {
  const { tenants, param, actor } = context;
  return forms.submitFormChange(context, {
    schema: defaultsForm,
    lists: defaultsLists,
    load: () => tenants.getTenant(param('tenantId')),
    versionOf: ({ version }) => version,
    show: (tenant, form) => showDefaultsForm(context, tenant, { form, preview: toInvalidDefaultsPreview(form) }),
    async save({ version, defaults, words }, { id }) {
      await tenants.changeTenant(actor, id, { version, defaults });
      const query = words === '' ? '' : `?${new URLSearchParams({ q: words })}`;
      return makeRedirect(`/tenants/${id}/defaults${query}`, 'defaults-saved');
    },
  });
}

async function previewDefaults(context: SignedInContext): Promise<Reply> {
  const { insight, tenants, param, form: sent } = context;
  const tenant = await tenants.getTenant(param('tenantId'));
  const read = forms.readForm(context, defaultsForm, defaultsLists);
  const isValid = 'data' in read;
  const preview = isValid
    ? await readDefaultsPreview(context, tenant.id, read.data)
    : toInvalidDefaultsPreview(read.state);
  if (isValid) insight.keepWords(tenant.id, read.data.words);
  if (sent.has('fragment')) return makePage('partials/defaults-preview', { preview });
  const form = isValid ? forms.keepTypedFormValues(sent) : read.state;
  return { ...(await showDefaultsForm(context, tenant, { form, preview })), status: isValid ? 200 : 422 };
}

/** Makes a preview that lists the problems of fields. Those of the whole form stand above it. */
const toInvalidDefaultsPreview = ({ problems }: forms.FormState) =>
  'form' in problems ? { kind: 'no-words' } : { kind: 'invalid', problems: Object.entries(problems) };

/** Searches with these defaults. A failure of the service becomes part of the preview. */
async function readDefaultsPreview(
  context: SignedInContext,
  tenantId: string,
  { words, defaults }: { readonly words: string; readonly defaults: SearchDefaults },
) {
  if (words === '') return { kind: 'no-words' };
  try {
    const query = createLearningObjectQuery(words, defaults, context.locale);
    const result = await context.trialOf(tenantId).searchLearningObjects(query);
    const { providers, lang, freeOnly, model, match } = defaults;
    if (result.items.length === 0) {
      const isStrict = model === 'strict' || match === 'strict';
      const isNarrow = providers.length > 0 || lang !== null || freeOnly || isStrict;
      return { kind: 'nothing', words, isNarrow };
    }
    const { count, quality } = toAnswerView(result, { typed: words, providers: [] }, context);
    const views = result.items.map(({ object }) => toObjectView(object, context));
    const items = views.map((view) => ({ view, facts: writeObjectViewLine(view, context.t) }));
    return { kind: 'results', count, quality, items };
  } catch (error) {
    return { kind: 'failed', ...forms.explainUpstreamError(error, context) };
  }
}

type Chosen = { readonly providers: readonly string[]; readonly lang: string };

/** Reads the choices, with chosen ones that are on no list. A failure becomes `failure`. */
async function readDefaultsChoices(context: SignedInContext, tenantId: string, chosen: Chosen) {
  const { locale, pictures } = context;
  const lists = await readDefaultsLists(context, tenantId);
  const listed = lists.providers.map(({ id, name, logos }) => {
    return { id, name, logos: chooseLogos(logos, 'square', pictures), isListed: true };
  });
  const missing = chosen.providers
    .filter((id) => !listed.some((provider) => provider.id === id))
    .map((id) => ({ id, name: id, logos: null, isListed: false }));
  const codes = new Set([...lists.languages.map(({ value }) => value), chosen.lang]);
  const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name, locale);
  return {
    providers: [...missing.sort(byName), ...listed.sort(byName)],
    languages: listLanguageNames(
      [...codes].filter((code) => /^[a-z]{2}$/.test(code)),
      locale,
    ),
    failure: lists.failure,
  };
}

async function readDefaultsLists(context: SignedInContext, tenantId: string) {
  try {
    const learning = await context.upstreams.learningOf(tenantId);
    const [providers, languages] = await Promise.all([
      learning.ask('listProviders', {}),
      learning.ask('listLanguages', {}),
    ]);
    return { providers, languages, failure: null };
  } catch (error) {
    return { providers: [], languages: [], failure: forms.explainUpstreamError(error, context) };
  }
}

const MAX_PROVIDERS = 50;
const MAX_ITEMS = 20;
const models = ['extended', 'strict'] as const satisfies readonly SearchDefaults['model'][];
const matches = ['best-effort', 'strict'] as const satisfies readonly SearchDefaults['match'][];
const defaultsLists = ['providers'] as const;

const defaultsForm = z
  .object({
    version: forms.versionField,
    providers: z.array(z.string().min(1).max(200)).max(MAX_PROVIDERS, 'tooManyProviders'),
    lang: z.string().default('').transform(readDefaultLanguage),
    model: z.enum(models, 'chooseOne'),
    match: z.enum(matches, 'chooseOne'),
    itemsPerPage: forms.wholeNumberField(1, MAX_ITEMS, 'itemsPerPage'),
    freeOnly: forms.boxField,
    q: z.string().default('').transform(cutQueryWords),
  })
  .transform(({ version, q, lang, ...defaults }) => ({
    version,
    words: q,
    defaults: { ...defaults, ...lang, providers: [...new Set(defaults.providers)] } satisfies SearchDefaults,
  }));

function fillDefaultsForm({ defaults, version }: TenantRecord, words = ''): forms.FormState {
  const { providers, lang, prefer, model, match, itemsPerPage, freeOnly } = defaults;
  return forms.fillForm({
    version: String(version),
    providers,
    lang: prefer === undefined ? (lang ?? '') : `${prefer}-first`,
    model,
    match,
    itemsPerPage: String(itemsPerPage),
    ...(freeOnly && { freeOnly: '1' }),
    q: words,
  });
}

/** Reads `fr` as only French, `fr-first` as French first, any other value as any language. */
function readDefaultLanguage(choice: string): Pick<SearchDefaults, 'lang' | 'prefer'> {
  const [, code = null, isFirst] = /^([a-z]{2})(-first)?$/.exec(choice) ?? [];
  return code !== null && isFirst ? { lang: null, prefer: code } : { lang: code };
}

export function writeDefaultLanguage(
  { lang, prefer }: SearchDefaults,
  { t, locale }: { readonly t: Translate; readonly locale: string },
): string {
  if (prefer !== undefined) return t('defaults.languageFirst', { language: findLanguageName(prefer, locale) });
  if (lang !== null) return t('defaults.languageOnly', { language: findLanguageName(lang, locale) });
  return t('defaults.anyLanguage');
}
