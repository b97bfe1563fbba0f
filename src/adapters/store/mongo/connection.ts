import mongoose, { type Connection, type ConnectOptions } from 'mongoose';
import { AppError } from '#errors';
import { createMongoError } from './failures.ts';

const DEFAULT_DATABASE = 'skilldock';

/** Options that override those of the address. */
const options: ConnectOptions = {
  appName: 'skilldock',
  // What was acknowledged survives the loss of a server; a set without a majority refuses after 5 s
  // instead of hanging. Set one by one: the address could still override parts of a `writeConcern`.
  w: 'majority',
  journal: true,
  wtimeoutMS: 5_000,
  // Secondaries lag behind: a key that was just revoked would still be found there.
  readPreference: 'primary',
  // Lost or silent servers fail calls within seconds; the driver finds them again by itself.
  serverSelectionTimeoutMS: 5_000,
  connectTimeoutMS: 3_000,
  heartbeatFrequencyMS: 2_000,
  waitQueueTimeoutMS: 5_000,
  // The migrations make collections and indexes.
  autoCreate: false,
  autoIndex: false,
};

/** Time for an answer. Without it, a connection that a firewall has forgotten keeps callers waiting
 *  for ever. Reads and single writes are tried once more on another connection. */
const ANSWER_MS = 20_000;

/** For data that may be lost with the machine and is written with every request: writes do not wait
 *  for the disk or other servers. */
export const quick = { writeConcern: { w: 1, journal: false } } as const;

export interface OpenedConnection {
  readonly connection: Connection;
  readonly db: NonNullable<Connection['db']>;
  /** `host:port/database`, without credentials. */
  readonly location: string;
}

/** A separate connection, never the global one of mongoose. Errors: STORE_UNAVAILABLE.
 *  @param answerMs how long an answer may take; 0 for ever; else `socketTimeoutMS` of the address,
 *  or 20 s */
export async function openConnection(uri: string, answerMs?: number): Promise<OpenedConnection> {
  const servers = findServers(uri);
  const dbName = findDatabase(uri) ?? DEFAULT_DATABASE;
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

/** The database that the path of the address names; without one the driver would use `test`. */
function findDatabase(uri: string): string | undefined {
  const name = /^[^:]+:\/\/[^/?]+\/([^?]+)/.exec(uri)?.[1];
  return name === undefined ? undefined : decodeURIComponent(name);
}

/** As the driver reads the address, before anything connects. */
function findServers(uri: string): string {
  try {
    const { srvHost, hosts } = new mongoose.mongo.MongoClient(uri).options;
    return srvHost ?? hosts.join(',');
  } catch (cause) {
    throw unreadable(uri, cause);
  }
}

/** Where the address holds credentials, reason and cause are left out: with a `/` in the password,
 *  half of it would appear there as a host name. */
function unreadable(uri: string, cause: unknown): AppError {
  const reason = uri.includes('@') || !(cause instanceof Error) ? '' : ` (${cause.message})`;
  return new AppError(
    'STORE_UNAVAILABLE',
    `The address of the MongoDB store cannot be read${reason}. It must look like mongodb://user:password@host:27017/skilldock, with every character of user and password but letters and digits percent-encoded.`,
  );
}
