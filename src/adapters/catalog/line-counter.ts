const NEWLINE = 10;
const RETURN = 13;

/** Numbers of lines by places in a file, whatever line ends its cells hold. Holds what is not asked for yet. */
export interface LineCounter {
  add(chunk: Buffer): void;
  /** Number, from 1, of the first line after this place (in bytes, not before the one asked for last) that is not empty. */
  lineAfter(bytes: number): number;
}

export function createLineCounter(): LineCounter {
  let ends: number[] = [];
  let next = 0;
  let line = 1;
  let read = 0;
  let last = 0;
  return {
    add(chunk) {
      ends = ends.slice(next);
      next = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) {
        const before = at === 0 ? last : (chunk[at - 1] ?? 0);
        // The place where the line's text ends, and with it whether it has any.
        ends.push(read + at - (before === RETURN ? 1 : 0), read + at + 1);
      }
      last = chunk.at(-1) ?? last;
      read += chunk.length;
    },
    lineAfter(bytes) {
      let from = bytes;
      while (next < ends.length && (ends[next] ?? 0) <= from) {
        // An empty line: what comes after it is meant.
        if (ends[next] === from) from = ends[next + 1] ?? from;
        next += 2;
        line += 1;
      }
      return line;
    },
  };
}
