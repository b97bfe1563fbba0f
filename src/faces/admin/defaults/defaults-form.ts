import { z } from 'zod';
import { cutLearningQueryWords } from '#domain/learning-object-query';
import type { SearchDefaults } from '#domain/tenant';
import type { Translate } from '#faces/words/i18n';
import { findLanguageName } from '#faces/words/language-names';
import type { TenantRecord } from '#ports/store/store';
import { boxField, type FormState, fillForm, versionField, wholeNumberField } from '../forms/forms.ts';

const MAX_PROVIDERS = 50;
const MAX_ITEMS = 20;

export const models = ['extended', 'strict'] as const satisfies readonly SearchDefaults['model'][];
export const matches = ['best-effort', 'strict'] as const satisfies readonly SearchDefaults['match'][];
export const defaultsLists = ['providers'] as const;

export const defaultsForm = z
  .object({
    version: versionField,
    providers: z.array(z.string().min(1).max(200)).max(MAX_PROVIDERS, 'tooManyProviders'),
    lang: z.string().default('').transform(readLanguageChoice),
    model: z.enum(models, 'chooseOne'),
    match: z.enum(matches, 'chooseOne'),
    itemsPerPage: wholeNumberField(1, MAX_ITEMS, 'itemsPerPage'),
    freeOnly: boxField,
    q: z.string().default('').transform(cutLearningQueryWords),
  })
  .transform(({ version, q, lang, ...defaults }) => ({
    version,
    words: q,
    defaults: { ...defaults, ...lang, providers: [...new Set(defaults.providers)] } satisfies SearchDefaults,
  }));

export function fillDefaultsForm({ defaults, version }: TenantRecord, words = ''): FormState {
  const { providers, lang, prefer, model, match, itemsPerPage, freeOnly } = defaults;
  return fillForm({
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

/** `fr` is only French, `fr-first` is French first, any other value any language. */
function readLanguageChoice(choice: string): Pick<SearchDefaults, 'lang' | 'prefer'> {
  const [, code = null, isFirst] = /^([a-z]{2})(-first)?$/.exec(choice) ?? [];
  return code !== null && isFirst ? { lang: null, prefer: code } : { lang: code };
}

export function writeLanguageChoice(
  { lang, prefer }: SearchDefaults,
  { t, locale }: { readonly t: Translate; readonly locale: string },
): string {
  if (prefer !== undefined) return t('defaults.languageFirst', { language: findLanguageName(prefer, locale) });
  if (lang !== null) return t('defaults.languageOnly', { language: findLanguageName(lang, locale) });
  return t('defaults.anyLanguage');
}
