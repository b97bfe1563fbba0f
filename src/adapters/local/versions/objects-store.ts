import { createHash } from 'node:crypto';
import type { LiveSegment } from '#engine/objects/segment/segment';
import type { VersionObjects } from './version-objects.ts';

/** Another engine, which keeps the objects of versions of the catalogue: one index for each. */
export interface ObjectsStore {
  /** Whether it has all objects of this version. Errors: CATALOG_UNAVAILABLE. */
  hasVersion(name: string, documents: number): Promise<boolean>;
  /** The same; where it has them, that becomes the current one. Errors: CATALOG_UNAVAILABLE. */
  select(name: string, documents: number): Promise<boolean>;
  /** Brings it all objects of a version, checks that it has them, and makes that the current one. May be repeated, and done by
   *  several hosts at once: the same is written. Errors: CATALOG_UNAVAILABLE, those of reading; the signal's reason. */
  fill(version: KeptVersion, signal: AbortSignal): Promise<void>;
  /** What it has otherwise than it was brought; null where it has all. Errors: CATALOG_UNAVAILABLE. */
  examine(version: Omit<KeptVersion, 'path'>): Promise<string | null>;
  /** Takes the objects of a version away. Errors: CATALOG_UNAVAILABLE. */
  drop(name: string): Promise<void>;
  /** Its objects, whether it has them by now or not. Errors of what it gives: CATALOG_UNAVAILABLE. */
  open(name: string, words: LiveSegment): VersionObjects;
}

export interface KeptVersion {
  readonly name: string;
  /** The file of documents. */
  readonly path: string;
  readonly words: LiveSegment;
}

/** Of a version of which other files are made. */
export function fingerprintElsewhere(base: string, elsewhere: ObjectsStore | undefined): string {
  return elsewhere === undefined ? base : createHash('sha256').update(`${base} elsewhere`).digest('hex');
}
