import { basename } from 'node:path';
import { loadVocabularySegment } from '#engine/objects/segment/vocabulary-segment';
import { MOST_LAID_OVER } from '#ports/imports';
import { fingerprintCatalog } from '../starter-catalog.ts';
import {
  isAway,
  loadLayableVersion,
  loadMadeVersion,
  makeVersion,
  type PrepareIndexOptions,
  prepareIndex,
} from './make-version.ts';
import { fingerprintElsewhere, type ObjectsStore } from './objects-store.ts';
import { nameVersionFolder } from './version-files.ts';
import { openVersionFolders } from './version-folders.ts';

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
  // Hosts may lay a little over a version that is older.
  const layable = { ...ours, most: MOST_LAID_OVER, except: new Set<string>() };
  const find = async () => (await loadMadeVersion(key, ours)) ?? (await loadLayableVersion(base, layable));
  if ((await find()) === null) await prepareIndex({ ...options, mostLaidOver: 0 });
  const made = await find();
  if (made === null) return { problem: 'Something else was imported meanwhile.', documents: 0 };
  const words = loadVocabularySegment(made.blocks.objects, { isVerified: true });
  const problem = await elsewhere.examine({ name: basename(made.folder), words });
  if (problem !== null) await bringAnew();
  return { problem, documents: words.liveCount };

  async function bringAnew(): Promise<void> {
    try {
      await makeVersion(key, given);
    } catch (error) {
      if (!isAway(error)) throw error;
      // What nobody brought is not taken away by bringing the rest again.
      await elsewhere.drop(nameVersionFolder(key));
      await makeVersion(key, given);
    }
  }
}
