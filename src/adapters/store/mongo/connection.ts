import mongoose, { type Connection, type ConnectOptions } from 'mongoose';
import { AppError } from '#errors';

const DEFAULT_DATABASE = 'skilldock';

const options: ConnectOptions = {
  appName: 'skilldock',
  // Acknowledged writes survive the loss of a server; a set without a majority refuses after 5 s
  // instead of hanging. Set one by one: the address could override parts of a `writeConcern`.
  w: 'majority',
  journal: true,
  wtimeoutMS: 5_000,
  // Secondaries lag behind: a key that was just revoked would still be found there.
  readPreference: 'primary',
  // Lost or silent servers fail calls within seconds; the driver reconnects by itself.
  serverSelectionTimeoutMS: 5_000,
  connectTimeoutMS: 3_000,
  heartbeatFrequencyMS: 2_000,
  waitQueueTimeoutMS: 5_000,
  // The migrations make collections and indexes.
  autoCreate: false,
  autoIndex: false,
};

/** Limit of an answer. Without it, a connection that a firewall has dropped keeps callers
 *  waiting for ever. Reads and single writes are tried once more on another connection. */
const ANSWER_MS = 20_000;
/** Options for data that may be lost with the machine: writes do not wait for the disk. */
export const quickWrites = { writeConcern: { w: 1, journal: false } } as const;

export interface OpenedConnection {
  readonly connection: Connection;
  readonly db: NonNullable<Connection['db']>;
  /** `host:port/database`, without credentials. */
  readonly location: string;
}

/** The `answerMs` of a connection that waits for answers without a limit. */
export const UNLIMITED_MS = 0;

/** Opens a separate connection, never the global one of mongoose. Errors: STORE_UNAVAILABLE.
 *  @param answerMs time limit of an answer; by default `socketTimeoutMS` of the address, or 20 s */
export async function openMongoConnection(uri: string, answerMs?: number): Promise<OpenedConnection> {
  const servers = findMongoServers(uri);
  const dbName = findMongoDatabase(uri) ?? DEFAULT_DATABASE;
  const location = `${servers}/${dbName}`;
  const connection = mongoose.createConnection();
  try {
    const socketTimeoutMS = answerMs ?? (/[?&]socketTimeoutMS=/i.test(uri) ? undefined : ANSWER_MS);
    const timeout = socketTimeoutMS !== undefined && { socketTimeoutMS };
    const { db } = await connection.openUri(uri, { ...options, dbName, ...timeout });
    if (db === undefined) throw new Error('the connection opened without a database');
    return { connection, db, location };
  } catch (cause) {
    // Otherwise it would go on trying and keep the process alive.
    await connection.destroy(true);
    throw createMongoError(location, cause);
  }
}

/** Finds the database in the path of an address. Without one the driver would use `test`. */
function findMongoDatabase(uri: string): string | undefined {
  const name = /^[^:]+:\/\/[^/?]+\/([^?]+)/.exec(uri)?.[1];
  return name === undefined ? undefined : decodeURIComponent(name);
}

/** Finds the servers as the driver reads the address, before anything connects. */
function findMongoServers(uri: string): string {
  try {
    const { srvHost, hosts } = new mongoose.mongo.MongoClient(uri).options;
    return srvHost ?? hosts.join(',');
  } catch (cause) {
    throw createMongoAddressError(uri, cause);
  }
}

/** Creates an error without the driver's reason for an address with a user: with a `/` in the
 *  password, half of it would appear as a host name. */
function createMongoAddressError(uri: string, cause: unknown): AppError {
  const reason = uri.includes('@') || !(cause instanceof Error) ? '' : ` (${cause.message})`;
  return new AppError(
    'STORE_UNAVAILABLE',
    `The address of the MongoDB store cannot be read${reason}. It must look like mongodb://user:password@host:27017/skilldock, with every character of user and password but letters and digits percent-encoded.`,
  );
}

const { MongoError, MongoServerError } = mongoose.mongo;
const DUPLICATE_KEY = 11_000;

export const isTakenFailure = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === DUPLICATE_KEY;

/** Writes something. @returns false if a unique index refuses that */
export async function writeUnlessTaken(write: () => Promise<boolean>): Promise<boolean> {
  try {
    return await write();
  } catch (error) {
    if (isTakenFailure(error)) return false;
    throw error;
  }
}

/** Has calls reject with STORE_UNAVAILABLE when the server fails. Other errors pass unchanged. */
export function explainMongoFailures<T extends object>(repository: T, location: string): T {
  const explained = Object.entries(repository).map(([name, call]) => [
    name,
    async (...args: unknown[]) => {
      try {
        return await call(...args);
      } catch (cause) {
        throw isOfMongoServer(cause) ? createMongoError(location, cause) : cause;
      }
    },
  ]);
  return Object.fromEntries(explained) as T;
}

const isOfMongoServer = (error: unknown): boolean =>
  error instanceof MongoError || error instanceof mongoose.Error.MongooseServerSelectionError;

export function createMongoError(location: string, cause: unknown): AppError {
  return new AppError(
    'STORE_UNAVAILABLE',
    `The MongoDB store ${location} cannot be used (${cause instanceof Error ? cause.message : cause}). Check that the server is running and reachable from here, and that MONGODB_URI is right.`,
    { cause },
  );
}
