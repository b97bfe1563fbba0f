import { setImmediate } from 'node:timers/promises';
import type { LearningObjectQuery } from '#domain/learning-object-query';
import { foldText } from '#domain/text';
import type { CallOptions, TextSpan } from '#ports/learning-service';
import type { TenantAnswers } from '../tenant-answers.ts';
import { foldPlanLabel, type PlannedSkill } from './plan-skills.ts';
import type { FoundObject } from './results.ts';

interface Course {
  /** Two-letter code of its text. */
  readonly lang: string;
  /** Whether objects in other languages are out. */
  readonly isLangAsked: boolean;
  /** What its searches ask for. */
  readonly query: Pick<LearningObjectQuery, 'types' | 'levelMin' | 'levelMax'>;
  /** All of its weeks. */
  readonly skills: readonly PlannedSkill[];
}

export type AgreesWithWeek = (item: FoundObject, skill: PlannedSkill) => Promise<boolean>;

/** What an object is about, and not what it mentions besides. */
const MAX_TAGS = 2;
/** A level beyond this, on the other side of the middle (0), is the opposite one. */
const OPPOSITE_LEVEL = 0.2;

/** Tells whether an object that a search found belongs into the week of a skill. A search finds words, which may be those of something
 *  else. So its title has to name the skill, by more than one word. Or its title and description, read as the syllabus was, are about the
 *  skill, and not more about one of another week; and the title names it, they have evidence for it, or they are about another skill of
 *  that week, too. Or the title alone is first of all about it. Besides, the object is in the course's language, not of the opposite
 *  level, and teaches.
 *  The function's errors: those of the tagging. */
export function createPlanAgreement(
  answers: TenantAnswers,
  course: Course,
  options: CallOptions,
): AgreesWithWeek {
  const { lang, skills } = course;
  const weekOf = new Map(skills.map(({ label, week }) => [foldPlanLabel(label), week]));
  /** Skills that a text is about, the first ones more than others, with where they stand in it. */
  async function readSkills(text: string, max: number): Promise<ReadonlyMap<string, TextSpan | null>> {
    const request = { text, lang, max, guesses: true, spans: true, byWords: true };
    const { value } = await answers.ask('tagger', request, options);
    return new Map(value.tags.map((tag, i) => [foldPlanLabel(tag), value.spans?.[i] ?? null]));
  }
  return async ({ object }, { label, week }) => {
    const { title, description = '' } = object;
    if (!isForCourse(object, course)) return false;
    const isNamed = hasWords(title, label);
    // One word may be that of something else.
    if (isNamed && label.includes(' ')) return true;
    // Reading takes half a millisecond each; others have their turn between.
    await setImmediate();
    const wanted = foldPlanLabel(label);
    const about = await readSkills(`${title}.\n${description}`, MAX_TAGS);
    if (about.has(wanted) && isNamed) return true;
    const planned = [...about.keys()].filter((skill) => weekOf.has(skill));
    if (planned[0] !== undefined && weekOf.get(planned[0]) !== week) return false;
    const isShared = planned.filter((skill) => weekOf.get(skill) === week).length > 1;
    if (about.has(wanted) && (about.get(wanted) || isShared)) return true;
    return (await readSkills(title, 1)).has(wanted);
  };
}

/** Whether all words of a label are in a title, but for those in brackets: `C (programming language)`. */
function hasWords(title: string, label: string): boolean {
  const words = new Set(listWords(title));
  return listWords(label.replace(/\(.*\)/, '')).every((word) => words.has(word));
}

const listWords = (text: string) =>
  Array.from(foldText(text).matchAll(/[\p{L}\p{N}]+/gu), ([word]) => word.replace(/s$/, ''));

function isForCourse(
  { lang, level, type }: FoundObject['object'],
  { lang: own, isLangAsked, query: { types, levelMin, levelMax } }: Course,
): boolean {
  if (isLangAsked && lang !== undefined && lang !== own) return false;
  if (level !== undefined && levelMax !== undefined && levelMax < 0 && level > OPPOSITE_LEVEL) return false;
  if (level !== undefined && levelMin !== undefined && levelMin > 0 && level < -OPPOSITE_LEVEL) return false;
  // Nothing but a career profile tells of a job and of ways into it.
  return type.length === 0 || type.some((each) => each !== 'career profile' || types.includes(each));
}
