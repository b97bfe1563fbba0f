import { normalizeAddress } from '../../domain/learning-object.ts';
import type { ImportedCatalog } from '../../ports/imports.ts';
import { readCatalog } from './catalog.ts';

export interface ObjectAddressesOptions {
  /** Folder of the starter catalogue. */
  readonly catalogDir: string;
  readonly imported: ImportedCatalog;
}

/** The address of every learning object that is searched, once and in the spelling that is shown: as where versions are built,
 *  what was imported goes before the starter's. Errors: CATALOG_INVALID, those of the store. */
export async function* listObjectAddresses(options: ObjectAddressesOptions): AsyncIterable<string> {
  const seen = new Set<string>();
  for await (const url of listAll(options)) {
    const address = normalizeAddress(url);
    if (!seen.has(address)) yield url;
    seen.add(address);
  }
}

async function* listAll({ catalogDir, imported }: ObjectAddressesOptions): AsyncGenerator<string> {
  for await (const { kind, key } of imported.read()) {
    // Concepts come last, and there may be very many.
    if (kind === 'concept') break;
    if (kind === 'object') yield key;
  }
  for (const { url } of readCatalog(catalogDir).objects) yield url;
}
