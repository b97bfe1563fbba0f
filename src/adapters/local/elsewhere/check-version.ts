import { loadVocabularySegment } from '../../../engine/objects/segment/vocabulary-segment.ts';
import { AppError } from '../../../errors.ts';
import { fingerprintCatalog } from '../catalog.ts';
import { loadMadeVersion, makeVersion, type PrepareIndexOptions, prepareIndex } from '../make-version.ts';
import { nameVersionFolder } from '../version-files.ts';
import { openVersionFolders } from '../versions/version-folders.ts';
import { fingerprintElsewhere, type ObjectsStore } from './objects-store.ts';

export interface KeptVersionReport {
  /** What was not as it should be; null where all was. */
  readonly problem: string | null;
  readonly documents: number;
}

/** Compares what the other engine has with what is imported, and brings it anew where it differs.
 *  Errors: those of `prepareIndex`. */
export async function checkKeptVersion(
  options: PrepareIndexOptions & { readonly elsewhere: ObjectsStore },
): Promise<KeptVersionReport> {
  const { catalogDir, dataDir, imported, elsewhere, signal = new AbortController().signal } = options;
  const base = fingerprintElsewhere(fingerprintCatalog(catalogDir), elsewhere);
  const folders = openVersionFolders(dataDir);
  const key = { base, imported: await imported.version() };
  const given = { ...options, folders, signal };
  // Of what the other engine lacks, `examine` tells.
  const ours = { ...given, elsewhere: undefined };
  const isNew = (await loadMadeVersion(key, ours)) === null;
  if (isNew) await prepareIndex(options);
  const made = await loadMadeVersion(key, ours);
  const name = nameVersionFolder(key);
  if (made === null) return { problem: 'Something else was imported meanwhile.', documents: 0 };
  const words = loadVocabularySegment(made.blocks.objects, { isVerified: true });
  const problem = await elsewhere.examine({ name, words });
  if (problem !== null) await bringAnew();
  return { problem, documents: words.liveCount };

  async function bringAnew(): Promise<void> {
    try {
      await makeVersion(key, given);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'CATALOG_UNAVAILABLE')) throw error;
      // What nobody brought is not taken away by bringing the rest again.
      await elsewhere.drop(name);
      await makeVersion(key, given);
    }
  }
}
