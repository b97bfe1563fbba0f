import type { LearningObject } from '../../../domain/learning-object.ts';
import { createQuery } from '../../../domain/learning-object-query.ts';
import type { SearchDefaults } from '../../../domain/tenant.ts';
import type { Discovery } from '../../../services/discovery/discovery.ts';
import type { Languages, Translate } from '../../words/i18n.ts';
import { languageName } from '../../words/language-names.ts';
import { explainFailure, type UpstreamFailure } from '../forms/error-words.ts';

/** What the preview shows. */
export type Preview =
  | { readonly kind: 'no-words' }
  | { readonly kind: 'invalid'; readonly problems: readonly (readonly [field: string, problem: string])[] }
  | ({ readonly kind: 'failed' } & UpstreamFailure)
  | { readonly kind: 'nothing'; readonly words: string; readonly isNarrow: boolean }
  | {
      readonly kind: 'results';
      readonly words: string;
      readonly total: number;
      /** False where the closest were taken. */
      readonly isExact: boolean;
      readonly items: readonly PreviewItem[];
    };

interface PreviewItem {
  readonly title: string;
  readonly url: string;
  readonly lang: string | undefined;
  readonly provider: string | undefined;
  readonly facts: readonly string[];
  readonly isFree: boolean;
}

export interface PreviewOptions {
  readonly words: string;
  readonly defaults: SearchDefaults;
  readonly locale: string;
  readonly t: Translate;
  readonly languages: Languages;
}

/** Search as the tenant's people would under these defaults. Never rejects for what the service does. */
export async function readPreview(
  discovery: Pick<Discovery, 'searchLearningObjects'>,
  options: PreviewOptions,
): Promise<Preview> {
  const { words, defaults, t, languages } = options;
  if (words === '') return { kind: 'no-words' };
  try {
    const result = await discovery.searchLearningObjects(createQuery(words, defaults));
    const { providers, lang, freeOnly, model, match } = defaults;
    if (result.items.length === 0) {
      const isStrict = model === 'strict' || match === 'strict';
      const isNarrow = providers.length > 0 || lang !== null || freeOnly || isStrict;
      return { kind: 'nothing', words, isNarrow };
    }
    const items = result.items.map(({ object }) => toItem(object, options));
    return {
      kind: 'results',
      words,
      total: Math.max(result.totalItems, items.length),
      isExact: result.quality === 'A00',
      items,
    };
  } catch (error) {
    return { kind: 'failed', ...explainFailure(error, t, languages) };
  }
}

function toItem(object: LearningObject, { locale, t, languages }: PreviewOptions): PreviewItem {
  const { title, url, lang, provider, type, learningTime, price } = object;
  // A service may send types of its own.
  const facts = type.map((name) => (languages.has(`types.${name}`) ? t(`types.${name}`) : name));
  if (lang !== undefined) facts.push(languageName(lang, locale));
  if (learningTime !== undefined)
    facts.push(`${learningTime.value.toLocaleString(locale)} ${learningTime.unit}`);
  const safeUrl = /^https?:\/\//i.test(url) ? url : '';
  return { title, url: safeUrl, lang, provider, facts, isFree: price?.free === true };
}
