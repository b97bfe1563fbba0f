import mongoose from 'mongoose';
import { AppError } from '#errors';

const { MongoError, MongoServerError } = mongoose.mongo;
const DUPLICATE_KEY = 11_000;

/** True for a refusal by a unique index. */
export const isTakenFailure = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === DUPLICATE_KEY;

/** False where a unique index refuses the write. */
export async function writeUnlessTaken(write: () => Promise<boolean>): Promise<boolean> {
  try {
    return await write();
  } catch (error) {
    if (isTakenFailure(error)) return false;
    throw error;
  }
}

/** Makes calls of a repository reject with STORE_UNAVAILABLE when the server cannot be reached or
 *  refuses. Errors of this program pass unchanged. */
export function explainFailures<T extends object>(repository: T, location: string): T {
  const explained = Object.entries(repository).map(([name, call]) => [
    name,
    async (...args: unknown[]) => {
      try {
        return await call(...args);
      } catch (cause) {
        throw isOfServer(cause) ? createMongoError(location, cause) : cause;
      }
    },
  ]);
  return Object.fromEntries(explained) as T;
}

const isOfServer = (error: unknown): boolean =>
  error instanceof MongoError || error instanceof mongoose.Error.MongooseServerSelectionError;

/** `location` without credentials. */
export function createMongoError(location: string, cause: unknown): AppError {
  return new AppError(
    'STORE_UNAVAILABLE',
    `The MongoDB store ${location} cannot be used (${cause instanceof Error ? cause.message : cause}). Check that the server is running and reachable from here, and that MONGODB_URI is right.`,
    { cause },
  );
}
