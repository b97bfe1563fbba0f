import { createLearningObjectQuery } from '#domain/learning-object-query';
import type { PictureLinks } from '#domain/picture';
import type { SearchDefaults } from '#domain/tenant';
import { type ObjectView, toObjectView, writeObjectViewLine } from '#faces/object-view/object-view';
import { toAnswerView } from '#faces/search-view/answer-view';
import type { Languages, Translate } from '#faces/words/i18n';
import type { Discovery } from '#services/searching/discovery';
import { explainUpstreamError, type UpstreamFailure } from '../forms/error-words.ts';

/** What the preview shows. */
export type Preview =
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

export interface PreviewOptions {
  readonly words: string;
  readonly defaults: SearchDefaults;
  readonly locale: string;
  readonly t: Translate;
  readonly languages: Languages;
  readonly pictures: PictureLinks;
}

/** Search as the tenant's people would under these defaults. Never rejects for what the service does. */
export async function readPreview(
  discovery: Pick<Discovery, 'searchLearningObjects'>,
  options: PreviewOptions,
): Promise<Preview> {
  const { words, defaults, t, languages } = options;
  if (words === '') return { kind: 'no-words' };
  try {
    const result = await discovery.searchLearningObjects(
      createLearningObjectQuery(words, defaults, options.locale),
    );
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
