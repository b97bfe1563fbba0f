import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import {
  type LocalService,
  type LocalServiceOptions,
  openLocalService,
} from '../../../src/adapters/local/open-local-service.ts';
import { createRequestIds } from '../../../src/adapters/local/request-ids.ts';
import { type RunIndexJob, runIndexJob } from '../../../src/adapters/local/versions/index-jobs.ts';
import type { ExternalIndex } from '../../../src/adapters/local/versions/version-objects.ts';
import type { LearningObjectQuery } from '../../../src/domain/learning-object-query.ts';
import type { LearningService, SearchAnswer } from '../../../src/ports/learning-service.ts';
import { createStandingClock, type StandingClock } from '../../fakes/clock.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

export { createStandingClock };

export interface OpenedService extends LocalService {
  /** What went wrong with snapshots. */
  readonly snapshotProblems: unknown[];
  readonly clock: StandingClock;
}

export type ServiceChanges = Pick<
  LocalServiceOptions,
  'encoder' | 'imported' | 'shared' | 'pollMs' | 'run' | 'external' | 'overlayLimit'
>;

type OpenObjects = (catalogDir: string) => ExternalIndex;

let openStore: OpenObjects | null = null;

/** From now on every service keeps its objects there.
 *  @param open one for each catalogue, as different deployments have; null for the service's own
 *  engine again */
export function keepObjectsIn(open: OpenObjects | null): void {
  openStore = open;
}

export const areObjectsExternal = (): boolean => openStore !== null;

export const SECRET = Buffer.from('a secret of the test');

/** The service over a catalogue, with a clock that stands. */
export function openService(catalogDir: string, dataDir: string, changes: ServiceChanges = {}): OpenedService {
  const clock = createStandingClock();
  const snapshotProblems: unknown[] = [];
  const external = openStore?.(catalogDir);
  const service = openLocalService({
    catalogDir,
    dataDir,
    clock,
    onProblem: (error) => snapshotProblems.push(error),
    publicUrl: 'https://skills.example.org',
    requestIds: createRequestIds(SECRET, clock),
    run: runHere,
    ...(external && { external }),
    ...changes,
  });
  // Not spread: some of it changes with the catalogue.
  const opened = Object.assign(service, { clock, snapshotProblems });
  return external === undefined ? opened : Object.assign(opened, { learning: afterFilling(service) });
}

/** Starting a thread takes longer than making an index of a few objects. */
export const runHere: RunIndexJob = async (job, signal) => {
  signal.throwIfAborted();
  return runIndexJob(job);
};

/** The same service, which answers once its objects are where they are kept. */
function afterFilling({ learning, updates }: LocalService): LearningService {
  let filled: Promise<void> | undefined;
  async function fill(): Promise<void> {
    for (; !updates.hasCaughtUp; await sleep(200)) await updates.catchUp();
  }
  return {
    async ask(operation, request, options) {
      filled ??= fill();
      await filled;
      return learning.ask(operation, request, options);
    },
  };
}

/** The engine over a catalogue of objects with these titles, in a test. */
export function openSmallService(titles: readonly string[]): LearningService {
  const folder = makeTempDir();
  writeCatalog(folder, { objects: titles.map((title, number) => anObject(`${number}`, { title })) });
  const service = openService(folder, makeTempDir());
  onTestFinished(() => service.close());
  return service.learning;
}

/** Everything a search may leave open, left open. */
export function searchFor(keywords: string, changes: Partial<LearningObjectQuery> = {}): LearningObjectQuery {
  return {
    keywords,
    providers: [],
    types: [],
    blooms: [],
    sort: 'popularity',
    match: 'best-effort',
    model: 'strict',
    max: 20,
    page: 0,
    important: new Set(),
    ...changes,
  };
}

/** The pages of a search, from the first to the last. */
export async function searchPages(learning: LearningService, query: LearningObjectQuery): Promise<SearchAnswer[]> {
  const pages = [await learning.ask('searchProvider', query)];
  while (pages.at(-1)!.hasMore)
    pages.push(await learning.ask('searchProvider', { ...query, page: query.page + pages.length }));
  return pages;
}

/** The addresses of all results, best first. */
export async function searchUrls(learning: LearningService, query: LearningObjectQuery): Promise<string[]> {
  return (await searchPages(learning, query)).flatMap(({ content }) => content.map(({ url }) => url));
}

export interface CatalogFiles {
  readonly objects?: readonly object[];
  readonly providers?: readonly object[];
  readonly concepts?: readonly object[];
  readonly places?: readonly object[];
  readonly fields?: readonly object[];
}

/** Write a catalogue of few records into a folder. */
export function writeCatalog(
  folder: string,
  { objects, providers, concepts, places, fields }: CatalogFiles = {},
): void {
  const write = (name: string, records: readonly object[]) =>
    writeFileSync(join(folder, name), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  mkdirSync(join(folder, 'objects'), { recursive: true });
  mkdirSync(join(folder, 'taxonomies'), { recursive: true });
  write('objects/all.jsonl', objects ?? [anObject('a')]);
  write('providers.jsonl', providers ?? [{ id: 'school', name: 'A school' }]);
  write('taxonomies/own.jsonl', concepts ?? [aConcept('own:python', 'Python')]);
  write('places.jsonl', places ?? []);
  if (fields !== undefined) write('fields.jsonl', fields);
}

export function anObject(id: string, changes: object = {}): object {
  return {
    url: `https://example.org/${id}`,
    title: 'Python for everybody',
    description: 'An introduction.',
    provider: 'school',
    type: ['mooc'],
    bloom: ['Apply'],
    lang: 'en',
    keywords: ['programming'],
    popularity: 0.5,
    ...changes,
  };
}

export function aConcept(id: string, label: string, changes: object = {}): object {
  return { id, source: 'Skilldock', kind: 'skill', labels: { en: label }, ...changes };
}
