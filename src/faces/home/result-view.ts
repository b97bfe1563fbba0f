import type { LearningObject } from '../../domain/learning-object.ts';
import type { Highlight } from '../../ports/learning-service.ts';

/** A piece of text, marked where it matched. */
export interface Piece {
  readonly text: string;
  readonly isMatch: boolean;
}

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

const MAX_NAMES = 3;
const NO_HIGHLIGHT: Highlight = { title: [], description: [] };

export function toResultView(object: LearningObject, highlight: Highlight = NO_HIGHLIGHT): ResultView {
  return {
    url: object.url,
    lang: object.lang,
    title: cut(object.title, highlight.title),
    description: cut(object.description ?? '', highlight.description),
    provider: object.provider,
    by: byWhom(object),
    facts: factsOf(object),
    isFree: object.price?.free === true,
  };
}

function byWhom({ author, publisher, provider }: LearningObject): string {
  const names = (author.length > 0 ? author : publisher).slice(0, MAX_NAMES).join(', ');
  return names === provider ? '' : names;
}

function factsOf({ type, lang, level, learningTime, address, bloom }: LearningObject): string[] {
  const facts = type.map(capitalise);
  if (lang !== undefined) facts.push(languageName(lang));
  if (level !== undefined) facts.push(levelName(level));
  if (learningTime !== undefined) facts.push(`${formatNumber(learningTime.value)} ${learningTime.unit}`);
  if (address !== undefined) facts.push(address);
  return [...facts, ...bloom];
}

/** The scale's five named steps. */
export function levelName(level: number): string {
  if (level <= -0.6) return 'Beginner';
  if (level < -0.2) return 'Easy';
  if (level <= 0.2) return 'Intermediate';
  return level < 0.6 ? 'Demanding' : 'Advanced';
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

export function capitalise(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function cut(text: string, ranges: Highlight['title']): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const [from, to] of ranges) {
    if (from > end) pieces.push({ text: text.slice(end, from), isMatch: false });
    pieces.push({ text: text.slice(from, to), isMatch: true });
    end = to;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isMatch: false });
  return pieces;
}
