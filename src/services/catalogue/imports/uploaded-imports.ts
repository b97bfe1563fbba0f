import { randomUUID } from 'node:crypto';
import type { Actor } from '#domain/admin';
import { hasErrorCode } from '#errors';
import type { Clock } from '#ports/clock';
import type { ImportRequest, ImportSource, ImportSources, Upload, Uploads } from '#ports/imports';
import { FileDamaged, type SharedFile, type SharedFiles } from '#ports/shared-files';
import type { ImportRecord, Store } from '#ports/store/store';
import type { StartOptions } from './import-records.ts';
import type { ImportRuns } from './import-runs.ts';

/** What is to be done with an uploaded file. It is stored beside the file as JSON. */
export interface UploadTask {
  readonly request: Omit<ImportRequest, 'location' | 'title' | 'page'>;
  readonly options: Pick<StartOptions, 'allowRemoval' | 'isCheck' | 'asksForNewVersion' | 'rhythm'>;
}

/** Imports of files that a browser sent. Hosts that share a store keep the file there until its
 *  import has ended, so that another host continues if its host is stopped or killed. */
export type UploadedImports = ReturnType<typeof createUploadedImports>;

export interface UploadedImportsDeps extends Pick<Store, 'rateCounters'> {
  readonly runs: Pick<ImportRuns, 'start'>;
  readonly sources: ImportSources;
  readonly uploads: Uploads;
  /** Absent if this is the only host. */
  readonly shared?: SharedFiles | undefined;
  readonly clock: Clock;
  onProblem(error: unknown): void;
}

const PREFIX = 'upload/';
const CHECK_INTERVAL_MS = 10_000;
const DAY_MS = 24 * 3_600_000;
/** Number of takeovers of a file: one that crashes every host must not be tried for ever. */
const MAX_TAKEOVERS = 5;

interface UploadNote {
  readonly actor: Actor;
  readonly task: UploadTask;
  readonly name: string;
  readonly receivedAtMs: number;
}

interface UploadState extends UploadedImportsDeps {
  readonly working: Set<Promise<unknown>>;
  timer: NodeJS.Timeout | undefined;
  isClosed: boolean;
}

export function createUploadedImports(deps: UploadedImportsDeps) {
  const { shared, uploads } = deps;
  const state: UploadState = { ...deps, working: new Set(), timer: undefined, isClosed: false };
  return {
    /** Begins the import of a file, which is removed at its end. Errors: those of opening the
     *  source and of beginning an import. */
    begin(actor: Actor, upload: Upload, task: UploadTask): Promise<ImportRecord> {
      if (shared === undefined) return importUploadedFile(state, upload, { actor, task });
      const note = { actor, task, name: upload.name, receivedAtMs: upload.receivedAt.getTime() };
      return new Promise((resolve, reject) => {
        const endAsFailed = async (error: unknown) => {
          reject(error);
          await uploads.remove(upload);
        };
        runInBackground(
          state,
          shareAndImportUpload(state, shared, { upload, note, onBegin: resolve }).catch(endAsFailed),
        );
      });
    },
    /** Begins the imports of files whose host is gone, which run in the background. */
    takeOver: () => takeOverUploads(state),
    /** Takes over the files of hosts that are gone, every ten seconds. */
    start(): void {
      if (shared === undefined) return;
      state.timer ??= setInterval(() => runInBackground(state, takeOverUploads(state)), CHECK_INTERVAL_MS).unref();
    },
    /** Waits until the imports of this host have ended; their files stay for another host. */
    async close(): Promise<void> {
      state.isClosed = true;
      clearInterval(state.timer);
      await Promise.all(state.working);
    },
  };
}

function runInBackground({ working, onProblem }: UploadState, work: Promise<unknown>): void {
  const handled = work.catch(onProblem).finally(() => working.delete(handled));
  working.add(handled);
}

/** Calls `onEnd` once the import has ended; never if it does not begin. */
async function importUploadedFile(
  { runs, sources, uploads }: UploadState,
  upload: Upload,
  { actor, task, onEnd = () => undefined }: Pick<UploadNote, 'actor' | 'task'> & { onEnd?(): void },
): Promise<ImportRecord> {
  let source: ImportSource | null = null;
  const release = async () => {
    source?.close?.();
    await uploads.remove(upload);
  };
  try {
    source = await sources.open({ ...task.request, location: upload.path, title: upload.name });
    return await runs.start(actor, source, {
      ...task.options,
      origin: null,
      onEnd: () => release().finally(onEnd),
    });
  } catch (error) {
    await release();
    throw error;
  }
}

interface SharedUpload {
  readonly upload: Upload;
  readonly note: UploadNote;
  onBegin?(record: ImportRecord): void;
}

async function shareAndImportUpload(state: UploadState, files: SharedFiles, shared: SharedUpload): Promise<void> {
  const name = PREFIX + randomUUID();
  await files.alone(name, async () => {
    await files.put({ name, about: JSON.stringify(shared.note) }, state.uploads.read(shared.upload));
    await importSharedUpload(state, files, { name, ...shared });
  });
}

/** Imports a shared file, and removes it at the end. Errors: only before the import begins. */
async function importSharedUpload(
  state: UploadState,
  files: SharedFiles,
  { name, upload, note, onBegin = () => undefined }: SharedUpload & { readonly name: string },
): Promise<void> {
  let isRunningElsewhere = false;
  try {
    await new Promise<void>((resolve, reject) => {
      importUploadedFile(state, upload, { ...note, onEnd: resolve }).then(onBegin, reject);
    });
  } catch (error) {
    // The host that is gone still counts as alive.
    isRunningElsewhere = hasErrorCode(error, 'IMPORT_RUNNING');
    throw error;
  } finally {
    if (!state.isClosed && !isRunningElsewhere) for (const file of await files.list(name)) await files.remove(file);
  }
}

async function takeOverUploads(state: UploadState): Promise<void> {
  const { shared } = state;
  if (shared === undefined) return;
  for (const file of await shared.list(PREFIX))
    runInBackground(
      state,
      shared.alone(file.name, () => takeOverUpload(state, shared, file)),
    );
}

async function takeOverUpload(state: UploadState, files: SharedFiles, { name }: SharedFile): Promise<void> {
  const { clock, rateCounters, uploads } = state;
  const [file] = await files.list(name);
  if (file === undefined || state.isClosed) return;
  const now = clock.now();
  const times = { now, expiresAt: new Date(now.getTime() + DAY_MS) };
  const { points } = await rateCounters.addRatePoints(name, 1, times);
  const isOld = now.getTime() - file.addedAt.getTime() > DAY_MS;
  if (isOld || points > MAX_TAKEOVERS) return files.remove(file);
  const note = JSON.parse(file.about) as UploadNote;
  try {
    const upload = await uploads.receive(note.name, files.read(file), new Date(note.receivedAtMs));
    await importSharedUpload(state, files, { name, upload, note });
  } catch (error) {
    if (error instanceof FileDamaged) await files.remove(file);
    throw error;
  }
}
