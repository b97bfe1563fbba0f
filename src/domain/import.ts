export const importFormats = [
  'esco',
  'onet',
  'rome',
  'taxonomy',
  'crosswalk',
  'objects',
  'feed',
  'oai',
  'lrmi',
] as const;
export type ImportFormat = (typeof importFormats)[number];

/** `running` until everything is read; `live` counts; `unchanged` found nothing new; `undone` was live once; `replaced` was live
 *  once, and later ones brought all of it anew. */
export type ImportState = 'running' | 'live' | 'unchanged' | 'stopped' | 'failed' | 'undone' | 'replaced';

/** Of records, but for `rows` and `rejected`, which are of rows of the source. */
export interface ImportCounts {
  readonly rows: number;
  readonly rejected: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Of this dataset, and no longer in the source. */
  readonly removed: number;
}
