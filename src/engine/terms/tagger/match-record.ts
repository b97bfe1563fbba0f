import { floatsOf, recordFields, WORDS_OF_TERM } from './label-records.ts';

/** How much of a label a window has, by the label's record.
 *  @param isInWindow by term: 1 while it is there */
export function createRecordMatcher(records: Uint32Array, isInWindow: Uint8Array) {
  const floats = floatsOf(records);

  /** Share of a label's idf mass in the window, or 0 when too little of it is there, or one word only. */
  function shareInWindow(record: number): number {
    const limit = floats[record + recordFields.mayMiss]!;
    let missing = 0;
    let termsFound = 0;
    let at = record + recordFields.terms;
    for (
      const end = at + records[record + recordFields.termCount]! * WORDS_OF_TERM;
      at < end;
      at += WORDS_OF_TERM
    ) {
      if (isInWindow[records[at]!] === 1) {
        termsFound++;
        continue;
      }
      missing += floats[at + 1]!;
      if (missing > limit) return 0;
    }
    return termsFound < 2 ? 0 : 1 - missing / floats[record + recordFields.mass]!;
  }

  /** Whether the label's stems stand in the window one after the other. */
  function isStretchOf(sequence: readonly number[], record: number): boolean {
    const from = record + recordFields.terms + records[record + recordFields.termCount]! * WORDS_OF_TERM;
    const length = records[record + recordFields.stretchLength]!;
    const first = records[from]!;
    for (let start = 0; start + length <= sequence.length; start++) {
      if (sequence[start] !== first) continue;
      let at = 1;
      while (at < length && sequence[start + at] === records[from + at]) at++;
      if (at === length) return true;
    }
    return false;
  }

  return { shareInWindow, isStretchOf };
}
