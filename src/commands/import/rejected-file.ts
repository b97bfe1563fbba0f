import { appendFileSync, closeSync, existsSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { AppError } from '#errors';
import type { RejectedRow } from '#ports/imports';

const BATCH = 100;
const HEADER = 'file,line,reason\r\n';

/** Writes rejected rows to a CSV file, which is created with the first of them. Errors:
 *  IMPORT_INVALID if the file cannot be written. */
export function createRejectedFile(path: string) {
  let pending: string[] = [];
  let isBegun = false;
  let hasRows = false;
  /** Writes pending rows; called whenever the import is saved, so that nothing is lost.
   *  @returns whether there are rows of this import */
  const flush = () => {
    if (pending.length === 0) return hasRows;
    const text = pending.join('');
    pending = [];
    writeRejectedFile(path, () => {
      if (isBegun && existsSync(path)) appendFileSync(path, text);
      else writeFileSync(path, `${HEADER}${text}`);
    });
    isBegun = true;
    hasRows = true;
    return hasRows;
  };
  return {
    /** Removes an earlier file, unless the import is resumed. Call it before rows are added. */
    begin(isResumed: boolean): void {
      pending = [];
      isBegun = isResumed;
      writeRejectedFile(path, () => {
        const isThere = isRejectedFile(path);
        hasRows = isResumed && isThere;
        if (!isResumed && isThere) rmSync(path);
      });
    },
    add({ place, reason }: RejectedRow): void {
      const [, file = place, line = ''] = /^(.*):(\d+)$/s.exec(place) ?? [];
      pending.push(`${[file, line, reason].map(writeRejectedCell).join(',')}\r\n`);
      if (pending.length >= BATCH) flush();
    },
    flush,
  };
}

/** Tells whether a file was written by an earlier import: no other file is overwritten. */
function isRejectedFile(path: string): boolean {
  if (!existsSync(path)) return false;
  const beginning = Buffer.alloc(HEADER.length);
  const file = openSync(path, 'r');
  try {
    readSync(file, beginning);
  } finally {
    closeSync(file);
  }
  return beginning.toString() === HEADER;
}

/** Quotes a cell where needed; an apostrophe keeps a spreadsheet from reading a formula. */
function writeRejectedCell(text: string): string {
  const safe = /^[=+@\t-]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function writeRejectedFile(path: string, write: () => void): void {
  try {
    write();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const message = `The rejected rows cannot be written to ${path} (${code}). Name another file with --rejected.`;
    throw new AppError('IMPORT_INVALID', message, { cause });
  }
}
