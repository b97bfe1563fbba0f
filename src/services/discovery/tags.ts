import type { CallOptions } from '../../ports/learning-service.ts';
import type { TenantAnswers } from '../tenant-answers/tenant-answers.ts';
import { detectLanguage } from './detect-language.ts';
import type { TagsFound } from './results.ts';
import { findTextLanguages } from './text-languages.ts';

export interface TextToTag {
  readonly text: string;
  /** Two-letter code; found out when absent. */
  readonly lang?: string | undefined;
}

export async function tagText(
  answers: Pick<TenantAnswers, 'tagger' | 'listLanguages'>,
  { text, lang: given }: TextToTag,
  options: CallOptions = {},
): Promise<TagsFound> {
  const { lang, isLangDetected } =
    given === undefined
      ? detectLanguage(text, (await findTextLanguages(answers, options)).languages)
      : { lang: given, isLangDetected: false };
  const { value, source } = await answers.tagger({ text, lang }, options);
  return { tags: value.tags, lang, isLangDetected, source };
}
