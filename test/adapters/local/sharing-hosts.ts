import { join } from 'node:path';
import { beforeEach, onTestFinished } from 'vitest';
import { type IndexJob, runIndexJob } from '../../../src/adapters/local/versions/index-jobs.ts';
import { type Clock, systemClock } from '../../../src/ports/clock.ts';
import type { SharedFiles } from '../../../src/ports/shared-files.ts';
import type { Store } from '../../../src/ports/store/store.ts';
import { createSharedFiles } from '../../../src/services/host/shared-files.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { type OpenedImports, objectPart, openImports } from './imported.ts';
import { anObject, type OpenedService, openService, searchFor, searchUrls, writeCatalog } from './services.ts';

export interface SharingHost extends OpenedService {
  readonly dataDir: string;
  readonly jobs: IndexJob['kind'][];
}

/** What hosts on one store have, new for each test. */
export interface SharingHosts {
  readonly catalogDir: string;
  readonly imports: OpenedImports;
  share(clock?: Clock): SharedFiles;
  /** With an empty folder, unless one is given, and the store that all share. */
  openHost(dataDir?: string, shared?: SharedFiles): SharingHost;
  /** Imports one object, `newUrl`, with this title. */
  put(title: string): Promise<string>;
}

export const newUrl = 'https://example.org/new';

export const find = (host: OpenedService, words: string) => searchUrls(host.learning, searchFor(words));

/** @param openStore the store of the hosts of a test; an embedded one when absent */
export function useSharingHosts(openStore?: () => Promise<Store>): SharingHosts {
  let catalogDir: string;
  let imports: OpenedImports;
  beforeEach(async () => {
    catalogDir = makeTempDir();
    writeCatalog(catalogDir, { objects: [anObject('a', { title: 'Cobol' })] });
    imports = openImports((await openStore?.()) ?? join(makeTempDir(), 'skilldock.db'));
    onTestFinished(() => imports.close());
  });
  const share = (clock: Clock = systemClock) => {
    const { files, nonces } = imports.store;
    return createSharedFiles({ files, nonces, clock, onProblem: () => undefined });
  };
  return {
    get catalogDir() {
      return catalogDir;
    },
    get imports() {
      return imports;
    },
    share,
    openHost(dataDir = makeTempDir(), shared = share()) {
      const jobs: IndexJob['kind'][] = [];
      const run = async (job: IndexJob) => {
        jobs.push(job.kind);
        return runIndexJob(job);
      };
      const options = { imported: imports.catalog, pollMs: 20, overlayLimit: 0, shared, run };
      const service = openService(catalogDir, dataDir, options);
      onTestFinished(() => service.close());
      return Object.assign(service, { dataDir, jobs });
    },
    put: (title) => imports.put('mine', [objectPart(anObject('new', { title }))]),
  };
}
