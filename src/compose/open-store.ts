import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { DataDir } from '#adapters/files/data-dir';
import { readSchemaState } from '#adapters/store/sqlite/schema';
import { createSqliteStore } from '#adapters/store/sqlite/sqlite-store';
import type { Config } from '#config';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { SharedFiles } from '#ports/shared-files';
import type { SchemaState, Store } from '#ports/store/store';
import type { ImportScratch } from '#services/catalogue/imports/import-records';
import { createSharedFiles } from '#services/host/shared-files';

export const DATABASE = 'skilldock.db';
/** Returns the path of the embedded store in the data folder. */
export const findStoreFile = (dataDir: DataDir): string => dataDir.file(DATABASE);

/** Opens the store that the settings choose. Errors: STORE_UNAVAILABLE. */
export function openStore({ mongodbUri }: Config, dataDir: DataDir): Promise<Store> {
  return mongodbUri === undefined ? openSqliteStore(findStoreFile(dataDir)) : openMongoStore(mongodbUri);
}

/** Reads the schema without changing it; null without embedded store. Errors: STORE_UNAVAILABLE. */
export async function findStoreSchemaState({ mongodbUri, dataDir }: Config): Promise<SchemaState | null> {
  if (mongodbUri !== undefined) {
    const { readMongoStoreSchema } = await import('#adapters/store/mongo/mongo-store');
    return readMongoStoreSchema(mongodbUri);
  }
  const path = resolve(dataDir, DATABASE);
  return existsSync(path) ? readSchemaState(path) : null;
}

/** Opens the store that the settings choose. Errors: STORE_UNAVAILABLE, also without a store. */
export async function openExistingStore(config: Config): Promise<Store> {
  refuseMissingStore(config);
  const { mongodbUri, dataDir } = config;
  return mongodbUri === undefined ? openSqliteStore(resolve(dataDir, DATABASE)) : openMongoStore(mongodbUri);
}

/** Refuses a data folder without a store, which must not be created. Errors: STORE_UNAVAILABLE. */
export function refuseMissingStore({ mongodbUri, dataDir }: Config): void {
  if (mongodbUri === undefined) refuseMissingStoreFile(resolve(dataDir, DATABASE));
}

/** Opens the store at `sqlite:PATH`, `mongodb://…` or `mongodb+srv://…`. Errors: CONFIG_INVALID for
 *  another address; STORE_UNAVAILABLE, also for a missing file that `mustExist`. */
export async function openStoreAt(address: string, options: { readonly mustExist: boolean }): Promise<Store> {
  if (/^mongodb(?:\+srv)?:\/\/./.test(address)) return openMongoStore(address);
  const [, path] = /^sqlite:(?:\/\/(?=\/))?(.+)$/s.exec(address) ?? [];
  if (path === undefined)
    // The address is not repeated: it may be a mistyped one with a password.
    throw new AppError(
      'CONFIG_INVALID',
      'A store is named by sqlite: and the path of its file, or by a mongodb:// address.',
    );
  if (options.mustExist) refuseMissingStoreFile(path);
  return openSqliteStore(path);
}

function refuseMissingStoreFile(path: string): void {
  if (existsSync(path)) return;
  throw new AppError(
    'STORE_UNAVAILABLE',
    `There is no store at ${path}. The host's own is ${DATABASE} in its DATA_DIR.`,
  );
}

const openSqliteStore = async (path: string): Promise<Store> => createSqliteStore(path);

/** Loads the driver only if it is used, as that takes a while. */
async function openMongoStore(uri: string): Promise<Store> {
  const { createMongoStore } = await import('#adapters/store/mongo/mongo-store');
  return createMongoStore(uri);
}

/** Opens a temporary store on disk, as sources may have any size. Errors: STORE_UNAVAILABLE. */
export async function openScratchStore(): Promise<ImportScratch> {
  const folder = await mkdtemp(join(tmpdir(), 'skilldock-import-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const store = createSqliteStore(join(folder, 'scratch.db'));
    return {
      entries: store.imports,
      async close() {
        await store.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Opens files that hosts share through MongoDB; none for an embedded store, which has one host. */
export function openSharedFiles(
  { mongodbUri }: Config,
  { store, clock, onProblem }: { store: Store; clock: Clock; onProblem(error: unknown): void },
): { readonly shared?: SharedFiles } {
  if (mongodbUri === undefined) return {};
  return { shared: createSharedFiles({ files: store.files, nonces: store.nonces, clock, onProblem }) };
}
