import { basename, join } from 'node:path';
import { loadObjectIndex } from '#engine/objects/object-index';
import { loadVocabularySegment } from '#engine/objects/segment/vocabulary-segment';
import type { ObjectsStore } from './objects-store.ts';
import { type KnownRecord, openRecordsFile, type RecordTable } from './records-file.ts';
import { type CatalogSummary, type VersionBlocks, versionFiles } from './version-files.ts';
import { createOwnObjects, type VersionObjects } from './version-objects.ts';

/** The objects of a version that is open. */
export interface OpenObjects {
  readonly version: VersionObjects;
  readonly documents: number;
  readonly postings: number;
  /** In the memory of this host. */
  readonly bytes: number;
  /** Whether a record could not be read. */
  readonly isDamaged: boolean;
  close(): void;
}

export interface OpenObjectsOptions {
  readonly folder: string;
  readonly block: VersionBlocks['objects'];
  readonly table: RecordTable;
  readonly summary: Pick<CatalogSummary, 'recordBytes' | 'starter'>;
  /** Another engine that keeps the objects; absent for our own. */
  readonly elsewhere?: ObjectsStore | undefined;
  onProblem(error: unknown): void;
}

/** @param block verified. Errors: those of opening the records. */
export function openObjects(options: OpenObjectsOptions): OpenObjects {
  const { elsewhere } = options;
  return elsewhere === undefined ? openOwn(options) : openElsewhere(options, elsewhere);
}

function openElsewhere({ folder, block }: OpenObjectsOptions, elsewhere: ObjectsStore): OpenObjects {
  const words = loadVocabularySegment(block, { isVerified: true });
  const version = elsewhere.open(basename(folder), words);
  return {
    version,
    documents: words.liveCount,
    postings: words.segment.postings.chunkStart.at(-1) ?? 0,
    bytes: block.byteLength,
    isDamaged: false,
    close: () => undefined,
  };
}

function openOwn({ folder, block, table, summary, onProblem }: OpenObjectsOptions): OpenObjects {
  const { index } = loadObjectIndex(block, { isVerified: true });
  const file = openRecordsFile(join(folder, versionFiles.records), table, summary.recordBytes);
  let isDamaged = false;
  const findRecord = (url: string): KnownRecord | null => {
    try {
      return file.find(url);
    } catch (error) {
      // Reported once only: every search would repeat it.
      if (!isDamaged) onProblem(error);
      isDamaged = true;
      return null;
    }
  };
  const { documents, postings, bytes } = index.stats();
  const version = createOwnObjects({ index, findRecord, starter: summary.starter });
  return {
    ...{ version, documents, postings, bytes },
    get isDamaged() {
      return isDamaged;
    },
    close: file.close,
  };
}
