import { existsSync, mkdtempSync, rmdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createDataDirError } from '#adapters/files/data-dir';
import { examineCatalog, useCatalogStore } from '#compose/imports';
import type { Config } from '#config';
import { type Finding, fault, ok, toFaultFinding, warning } from './finding.ts';

const GIGABYTE = 1e9;
/** A new index needs space beside the old one. */
const SCARCE_BYTES = GIGABYTE;
const TOO_LITTLE_BYTES = GIGABYTE / 10;
const FOR_OTHERS = 0o077;

export function checkCatalog(): Finding[] {
  try {
    const { objects, providers, taxonomies, isIndexCurrent } = examineCatalog();
    const summary = `${objects} learning objects of ${providers} providers come with the program`;
    const kinds = [...taxonomies].map(([name, concepts]) => `${name} ${concepts}`).join(', ');
    return [
      isIndexCurrent
        ? ok('catalogue', summary)
        : warning(
            'catalogue',
            `${summary}; the index of them is missing or of another version`,
            'Run npm run build; otherwise the first start builds it, which takes longer.',
          ),
      taxonomies.size > 0
        ? ok('taxonomies', `${kinds} concepts`)
        : fault('taxonomies', 'there are no concepts', 'Restore the data folder of the program.'),
    ];
  } catch (error) {
    return [toFaultFinding('catalogue', error)];
  }
}

export function checkFolder({ dataDir }: Config): Finding {
  const path = resolve(dataDir);
  const nearest = findExisting(path);
  try {
    // Rights say too little: root has them below /proc and on a read-only disk, too.
    rmdirSync(mkdtempSync(join(nearest, '.skilldock-doctor-')));
  } catch (error) {
    return toFaultFinding('data folder', createDataDirError(path, error));
  }
  if (nearest !== path) return ok('data folder', `${path} is not there yet; the first start makes it`);
  const isOpen = (statSync(path).mode & FOR_OTHERS) !== 0;
  return isOpen
    ? warning('data folder', `other users of this machine can look into ${path}`, `Run chmod 700 ${path}.`)
    : ok('data folder', path);
}

export function checkSpace({ dataDir }: Config): Finding {
  const path = findExisting(resolve(dataDir));
  const { bavail, bsize } = statfsSync(path);
  const free = bavail * bsize;
  const summary = `${(free / GIGABYTE).toFixed(1)} GB in ${path}`;
  const advice = 'Make room, or set DATA_DIR to a folder of a larger disk.';
  if (free < TOO_LITTLE_BYTES) return fault('free space', summary, advice);
  return free < SCARCE_BYTES ? warning('free space', summary, advice) : ok('free space', summary);
}

const findExisting = (path: string): string => (existsSync(path) ? path : findExisting(dirname(path)));

const NAME = 'objects';

/** None for the embedded engine. */
export async function checkCatalogStore(config: Config): Promise<readonly Finding[]> {
  if (config.catalog === undefined) return [];
  const { nodes } = config.catalog;
  try {
    return await useCatalogStore(config, async (store) => {
      const state = await store?.describe();
      if (state === undefined) return [];
      const summary = `OpenSearch ${state.version} at ${nodes.join(', ')}, ${state.health}, ${state.documents} documents`;
      const advice = 'See which shards are not assigned, and why: GET /_cluster/allocation/explain.';
      return [state.health === 'red' ? fault(NAME, summary, advice) : ok(NAME, summary)];
    });
  } catch (error) {
    return [toFaultFinding(NAME, error)];
  }
}
