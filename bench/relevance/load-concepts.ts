import { join } from 'node:path';
import { mergeConceptParts } from '../../src/adapters/catalog/concept-parts.ts';
import { createImportSources } from '../../src/adapters/catalog/open-import-source.ts';
import type { Concept } from '../../src/engine/terms/types.ts';

/** Where each taxonomy is, in the folder of all. */
const folders = { esco: 'esco', onet: 'onet', rome: 'rome-347' } as const;
export type TaxonomyName = keyof typeof folders;
const allTaxonomies: readonly TaxonomyName[] = ['esco', 'onet', 'rome'];

type Bodies = Map<string, Readonly<Record<string, unknown>>[]>;

const sources = createImportSources({
  outbound: { request: () => Promise.reject(new Error('The bench reads files only.')) },
});

/** Concepts as `skilldock import` makes them of the official files, all taxonomies together.
 *  @param taxonomies folder of all taxonomies
 *  @param names all when absent
 *  Errors: IMPORT_INVALID where the files are not there. */
export async function loadConcepts(
  taxonomies: string,
  names: readonly TaxonomyName[] = allTaxonomies,
): Promise<Concept[]> {
  const bodies: Bodies = new Map();
  for (const format of names) {
    await readParts(await sources.open({ format, location: join(taxonomies, folders[format]), langs: [] }), bodies);
  }
  return [...bodies].flatMap(([id, parts]) => mergeConceptParts(id, parts) ?? []);
}

async function readParts(source: Awaited<ReturnType<typeof sources.open>>, bodies: Bodies): Promise<void> {
  for await (const { parts } of source.read({ after: null, signal: new AbortController().signal })) {
    for (const { kind, key, body } of parts) {
      if (kind !== 'concept') continue;
      const known = bodies.get(key);
      if (known === undefined) bodies.set(key, [body]);
      else known.push(body);
    }
  }
}
