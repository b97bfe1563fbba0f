import type { LearningObject } from '../../domain/learning-object.ts';
import type { Highlight } from '../../ports/learning-service.ts';
import { capitalise, levelStep } from '../object-view/facts.ts';
import { byWhom } from '../object-view/object-view.ts';
import { cutAtMatches, type Piece } from '../object-view/pieces.ts';

/** A learning object in the words of the page. */
export interface ResultView {
  readonly url: string;
  readonly lang: string | undefined;
  readonly title: readonly Piece[];
  readonly description: readonly Piece[];
  readonly provider: string | undefined;
  /** By whom: authors or publishers; empty where that is the provider, or nobody knows. */
  readonly by: string;
  readonly facts: readonly string[];
  readonly isFree: boolean;
}

const NO_HIGHLIGHT: Highlight = { title: [], description: [] };

export function toResultView(object: LearningObject, highlight: Highlight = NO_HIGHLIGHT): ResultView {
  return {
    url: object.url,
    lang: object.lang,
    title: cutAtMatches(object.title, highlight.title),
    description: cutAtMatches(object.description ?? '', highlight.description),
    provider: object.provider,
    by: byWhom(object, 'en'),
    facts: factsOf(object),
    isFree: object.price?.free === true,
  };
}

function factsOf({ type, lang, level, learningTime, address, bloom }: LearningObject): string[] {
  const facts = type.map(capitalise);
  if (lang !== undefined) facts.push(languageName(lang));
  if (level !== undefined) facts.push(capitalise(levelStep(level)));
  if (learningTime !== undefined) facts.push(`${formatNumber(learningTime.value)} ${learningTime.unit}`);
  if (address !== undefined) facts.push(address);
  return [...facts, ...bloom];
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });

/** The code itself where it is none, as a service may send anything. */
export function languageName(code: string): string {
  try {
    return languageNames.of(code) ?? code;
  } catch {
    return code;
  }
}

function formatNumber(value: number): string {
  return new Intl.NumberFormat('en', { maximumFractionDigits: 1 }).format(value);
}
