/** A part of a syllabus: a week, a session, a module. */
export interface PlanWeek {
  /** As it is written: `Week 2: Programming`; at most 80 characters. */
  readonly title: string;
  /** What it is about, without the word and number that count it. */
  readonly text: string;
  /** Whether the first line of that stands in its title. */
  readonly isHeaded: boolean;
}

const MAX_TITLE_LENGTH = 80;

/** More parts than this are a table of contents. */
const MAX_WEEKS = 30;

const KINDS =
  'week|semaine|session|séance|module|unit|unité|lesson|leçon|lecture|chapter|chapitre|part|partie|day|jour|topic|thème';

const BLANK = ' \\t\\u00a0\\u202f';

/** A line that begins with such a word and a number, after marks of lists and titles. */
const HEADING = new RegExp(
  `^[${BLANK}#*•–-]*(?<title>(?<kind>${KINDS})[${BLANK}]+(?:n°[${BLANK}]*)?(?:\\d{1,2}(?:[${BLANK}]*[-–][${BLANK}]*\\d{1,2})?|[ivx]{1,5})(?![\\p{L}\\d])[${BLANK}.:)|*–-]*(?<rest>[^\\n]*))$`,
  'gimu',
);

/** The weeks of a syllabus, or whatever it has most of; empty where it does not have two of them. What stands before the first is
 *  about all of them, and left out. */
export function splitPlanWeeks(text: string): readonly PlanWeek[] {
  const headings = [...text.matchAll(HEADING)];
  const counts = new Map<string, number>();
  for (const { groups } of headings) {
    const kind = groups?.kind?.toLowerCase() ?? '';
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const [[kind, count] = ['', 0]] = [...counts].sort(([, a], [, b]) => b - a);
  if (count < 2 || count > MAX_WEEKS) return [];
  const chosen = headings.filter(({ groups }) => groups?.kind?.toLowerCase() === kind);
  return chosen.map((heading, i) => {
    const { title = '', rest = '' } = heading.groups ?? {};
    const below = text.slice(heading.index + heading[0].length, chosen[i + 1]?.index);
    return {
      title: cutTitle(title.replace(/[\s:*|–-]+$/u, '')),
      text: `${rest}\n${below}`.trim(),
      isHeaded: rest.trim() !== '',
    };
  });
}

function cutTitle(title: string): string {
  const letters = [...title];
  if (letters.length <= MAX_TITLE_LENGTH) return title;
  return `${letters
    .slice(0, MAX_TITLE_LENGTH - 1)
    .join('')
    .trimEnd()}…`;
}
