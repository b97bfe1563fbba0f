import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { OpenSearchIndexOptions } from '../../../src/adapters/opensearch/opensearch-index.ts';
import { systemClock } from '../../../src/ports/clock.ts';
import type { SharedFiles } from '../../../src/ports/shared-files.ts';
import { createSharedFiles } from '../../../src/services/host/shared-files.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { type OpenedImports, objectPart, openImports } from '../local/imported.ts';
import { anObject, type OpenedService, openService, searchFor, writeCatalog } from '../local/services.ts';
import { openStoreOn } from './store.ts';

/** A catalogue of one object, and a store in a data folder for what is imported over it. */
export function openCatalog() {
  const catalogDir = makeTempDir();
  writeCatalog(catalogDir);
  const dataDir = makeTempDir();
  const imports = openImports(join(dataDir, 'skilldock.db'));
  onTestFinished(() => imports.close());
  return { catalogDir, dataDir, imports };
}

/** What hosts of one store give each other. */
export const shareFiles = ({ store: { files, nonces } }: OpenedImports): SharedFiles =>
  createSharedFiles({ files, nonces, clock: systemClock, onProblem: () => undefined });

interface Place extends Partial<OpenSearchIndexOptions> {
  readonly address: string;
  readonly prefix: string;
}

/** A host with an empty data folder that keeps its objects there, brings each import there, and
 *  looks for imports when it is told to. */
export function openHost(
  { catalogDir, imports }: { readonly catalogDir: string; readonly imports: OpenedImports },
  place: Place,
  shared?: SharedFiles,
) {
  const external = openStoreOn(place, place);
  const options = {
    external,
    imported: imports.catalog,
    pollMs: 20,
    overlayLimit: 0,
    ...(shared && { shared }),
  };
  const host = openService(catalogDir, makeTempDir(), options);
  onTestFinished(() => host.close());
  return { host, external };
}

export const manyObjects = (count: number, title: string) =>
  Array.from({ length: count }, (_, i) => objectPart(anObject(`many/${i}`, { title: `${title} number ${i}` })));

export async function countFound({ learning }: OpenedService, keywords: string): Promise<number> {
  return (await learning.ask('searchMany', searchFor(keywords)))!.totalItems;
}

/** Calls it until the end of the test or `stop`. @returns the errors of all its calls */
export function repeatMeanwhile(call: () => Promise<unknown>) {
  const problems: unknown[] = [];
  let [calls, isOver] = [0, false];
  const running = (async () => {
    for (; !isOver; await new Promise((done) => setTimeout(done, 20))) {
      calls++;
      await call().catch((error: unknown) => problems.push(error));
    }
  })();
  const stop = async () => {
    isOver = true;
    await running;
    return { calls, problems };
  };
  onTestFinished(async () => void (await stop()));
  return stop;
}
