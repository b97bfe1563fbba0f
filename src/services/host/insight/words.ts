import { cleanText, foldText } from '#domain/text';
import type { InsightCounts, InsightRecord } from '#ports/store/store';

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
/** Numbers that stand for somebody: no matter how many ask, they are not kept. However they are separated, but not by words. A year
 *  after a colon is the edition of a standard. */
const NUMBER = /\p{Nd}(?:(?!:(?:19|20)\d\d(?!\d))[^\p{L}\p{Nd}]{0,3}\p{Nd}){6}/u;
/** Addresses, also as people write them for people: `ada (at) a.example`, `ada at a dot example`. */
const ADDRESS =
  /@|[([{<]\s*(?:a|at|arobase)\s*[)\]}>]|(?<!\p{L})(?:at|arobase)(?!\p{L}).*(?:\.\p{L}|(?<!\p{L})(?:dot|point)(?!\p{L}))/iu;

/** Words of a search as they are counted and shown; null for those that are not counted. */
export function readInsightWords(words: string): Pick<InsightRecord, 'name' | 'title'> | null {
  // Wide and other forms of letters and figures say the same as the usual ones.
  const whole = cleanText(words.normalize('NFKC')).replace(BLANKS, ' ');
  const title = whole.slice(0, MAX_WORDS).trim();
  if (title === '' || NUMBER.test(whole) || ADDRESS.test(whole)) return null;
  return { name: foldText(title).slice(0, MAX_WORDS), title };
}
