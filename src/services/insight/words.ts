import { cleanText, foldText } from '../../domain/text.ts';
import type { InsightCounts, InsightRecord } from '../../ports/store/store.ts';

/** Something that was counted, with who asked, as long as it is not stored. */
export interface InsightChange extends InsightRecord {
  /** Null where it says nothing of anybody: an object, or words that an administrator keeps. */
  readonly person: string | null;
}

export const noCounts: InsightCounts = {
  ...{ asked: 0, poor: 0, empty: 0, unopened: 0 },
  ...{ opened: 0, placed: 0, finished: 0 },
};

/** Characters. Three people rarely type the same long text, and whoever pastes one means nobody else. */
const MAX_WORDS = 100;
const BLANKS = /\s+/g;
/** Addresses of people and numbers that stand for one: no matter how many ask, they are not kept. */
const PERSONAL = /@|\d(?:[\s./-]?\d){6}/;

/** Words of a search as they are counted and shown; null for those that are not counted. */
export function readInsightWords(words: string): Pick<InsightRecord, 'name' | 'title'> | null {
  const title = cleanText(words).replace(BLANKS, ' ').slice(0, MAX_WORDS).trim();
  if (title === '' || PERSONAL.test(title)) return null;
  return { name: foldText(title).slice(0, MAX_WORDS), title };
}
