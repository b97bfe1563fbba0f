import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { AppError } from '../../errors.ts';

export interface SnapshotFile<T> {
  /** Absolute. Where it is looked for, in this order; it is written to the first. */
  readonly paths: readonly [own: string, ...others: string[]];
  /** Of the data and the code it must have been made from. */
  readonly fingerprint: string;
  load(block: Uint8Array): { value: T; meta: unknown };
  build(): T;
  save(value: T, meta: unknown): Uint8Array;
  /** Told when the file cannot be read or written. The host goes on: it only saves time. */
  onProblem(error: unknown): void;
}

/** What was saved, if it is whole and was made from the same data; else it is built, and saved for the next start. */
export function loadOrBuild<T>(file: SnapshotFile<T>): { value: T; isFromSnapshot: boolean } {
  for (const path of file.paths) {
    const saved = load(file, path);
    if (saved !== null) return { value: saved, isFromSnapshot: true };
  }
  const value = file.build();
  save(file, value);
  return { value, isFromSnapshot: false };
}

function load<T>({ fingerprint, load, onProblem }: SnapshotFile<T>, path: string): T | null {
  if (!existsSync(path)) return null;
  try {
    const { value, meta } = load(readFileSync(path));
    return (meta as { fingerprint?: string }).fingerprint === fingerprint ? value : null;
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'SNAPSHOT_INVALID')) onProblem(error);
    return null;
  }
}

/** Written beside and renamed, so that a start that is interrupted here leaves the old one or the new one, and two hosts
 *  that start at once do not write into each other's. */
function save<T>(file: SnapshotFile<T>, value: T): void {
  const [path] = file.paths;
  const draft = `${path}.${process.pid}.new`;
  try {
    writeFileSync(draft, file.save(value, { fingerprint: file.fingerprint }));
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    file.onProblem(error);
  }
}
