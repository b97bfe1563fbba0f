import type { ImportedCatalog } from '../../ports/imported-catalog.ts';
import { readCatalog } from './catalog.ts';

export interface ObjectAddressesOptions {
  /** Folder of the starter catalogue. */
  readonly catalogDir: string;
  readonly imported: ImportedCatalog;
}

/** The address of every learning object of the catalogue, once: the starter's, then those that only were imported.
 *  Errors: CATALOG_INVALID, those of the store. */
export async function* listObjectAddresses({
  catalogDir,
  imported,
}: ObjectAddressesOptions): AsyncIterable<string> {
  const own = new Set(readCatalog(catalogDir).objects.map(({ url }) => url));
  yield* own;
  for await (const { kind, key } of imported.read()) {
    // Concepts come last, and there may be very many.
    if (kind === 'concept') return;
    if (kind === 'object' && !own.has(key)) yield key;
  }
}
