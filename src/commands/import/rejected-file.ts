import { appendFileSync, closeSync, existsSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { AppError } from '#errors';
import type { RejectedRow } from '#ports/imports';

/** A file of rows that cannot be used, made with the first of them. */
export interface RejectedFile {
  /** To be called before rows come, with whether an import is resumed, whose rows are in the file already. If not, the file of an
   *  earlier import is removed. */
  begin(isResumed: boolean): void;
  add(row: RejectedRow): void;
  /** Writes what is left; to be called whenever the import is saved, so that nothing is lost with the process.
   *  @returns whether there are rows of this import */
  flush(): boolean;
}

const BATCH = 100;
const HEADER = 'file,line,reason\r\n';

/** Rows as `file,line,reason`. Errors: IMPORT_INVALID where it cannot be written. */
export function createRejectedFile(path: string): RejectedFile {
  let pending: string[] = [];
  let isBegun = false;
  let hasRows = false;
  const flush = () => {
    if (pending.length === 0) return hasRows;
    const text = pending.join('');
    pending = [];
    orExplain(path, () => {
      if (isBegun && existsSync(path)) appendFileSync(path, text);
      else writeFileSync(path, `${HEADER}${text}`);
    });
    isBegun = true;
    hasRows = true;
    return hasRows;
  };
  return {
    begin(isResumed) {
      pending = [];
      isBegun = isResumed;
      orExplain(path, () => {
        const isThere = isRejectedFile(path);
        hasRows = isResumed && isThere;
        if (!isResumed && isThere) rmSync(path);
      });
    },
    add({ place, reason }) {
      const [, file = place, line = ''] = /^(.*):(\d+)$/s.exec(place) ?? [];
      pending.push(`${[file, line, reason].map(cell).join(',')}\r\n`);
      if (pending.length >= BATCH) flush();
    },
    flush,
  };
}

/** Nothing else is taken away. */
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

/** Quoted where it must be; what a spreadsheet would take for a formula begins with an apostrophe. */
function cell(text: string): string {
  const safe = /^[=+@\t-]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function orExplain(path: string, write: () => void): void {
  try {
    write();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new AppError(
      'IMPORT_INVALID',
      `The rejected rows cannot be written to ${path} (${code}). Name another file with --rejected.`,
      { cause },
    );
  }
}
