import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { isUnitRun } from './draw.ts';
import { javaCommand } from './mongo-java-server/java-command.ts';
import { mongodCommand } from './mongo-java-server/mongod-command.ts';
import { type OwnProcess, startOwnProcess } from './mongo-java-server/own-process.ts';
import { skipBecause } from './skips.ts';

export interface MongoServer {
  /** `given` by MONGODB_TEST_URI, a real `mongod` of our own, or `mongo-java-server`, which does
   *  not expire documents. */
  readonly kind: 'given' | 'mongod' | 'mongo-java-server';
  /** Of a database of its own that nobody else uses and that is gone after `stop`. */
  readonly uri: string;
  /** Of one more such database. */
  newUri(): string;
  /** The process, for tests that end it and start it again; null for a server that others use,
   *  too. */
  readonly process: OwnProcess | null;
  stop(): Promise<void>;
}

interface ServerOptions {
  /** One that nobody else uses, to end it or to let it tidy up. */
  readonly isOwn?: boolean;
  /** What was written is there again after the server was ended in order and started anew. Such a
   *  server is one's own. */
  readonly onDisk?: boolean;
}

/** A MongoDB server to test with, that of the whole run where none of one's own is asked for; null
 *  where none can be had, having said so, and in a unit run. */
export async function startMongoServer(options: ServerOptions = {}): Promise<MongoServer | null> {
  if (isUnitRun) return null;
  const { isOwn = false, onDisk = false } = options;
  const given = process.env.MONGODB_TEST_URI;
  if (given !== undefined && given !== '') return useServer({ kind: 'given', address: given });
  try {
    return useServer(await (isOwn || onDisk ? startOwnMongo({ onDisk }) : findSharedMongo()));
  } catch (error) {
    skipBecause(
      'there is no MongoDB server',
      `Tests of the MongoDB store run where MONGODB_TEST_URI names a server, mongod is on the PATH, or Java 17 and Maven are there. ${error instanceof Error ? error.message : error}`,
    );
    return null;
  }
}

interface Address {
  readonly kind: MongoServer['kind'];
  readonly address: string;
}

async function findSharedMongo(): Promise<Address> {
  // Not where this file is loaded: benchmarks use it, too, and start a server of their own.
  const { inject } = await import('vitest');
  const response = await fetch(`${inject('sharedServersUrl')}/mongo`);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Address;
}

export interface OwnMongo extends Address {
  readonly process: OwnProcess;
  stop(): Promise<void>;
}

/** Errors: the reasons why neither a mongod nor mongo-java-server starts, in one message. */
export async function startOwnMongo({ onDisk = false } = {}): Promise<OwnMongo> {
  const failures: string[] = [];
  for (const [kind, start] of [
    ['mongod', startMongod],
    ['mongo-java-server', startJavaServer],
  ] as const) {
    try {
      return await startIn(kind, (folder) => start(folder, onDisk));
    } catch (error) {
      failures.push(`${kind}: ${error instanceof Error ? error.message.trim() : error}`);
    }
  }
  throw new Error(failures.join('. '));
}

async function startMongod(folder: string): Promise<OwnProcess> {
  const command = await mongodCommand();
  const data = join(folder, 'data');
  mkdirSync(data);
  return startOwnProcess((port) => [...command, '--port', `${port}`, '--dbpath', data]);
}

async function startJavaServer(folder: string, onDisk: boolean): Promise<OwnProcess> {
  const command = await javaCommand();
  const file = onDisk ? [join(folder, 'data.mv')] : [];
  return startOwnProcess((port) => [...command, `${port}`, ...file]);
}

/** In a folder of its own, which goes with the server. */
async function startIn(
  kind: 'mongod' | 'mongo-java-server',
  start: (folder: string) => Promise<OwnProcess>,
): Promise<OwnMongo> {
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-mongo-'));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeFolder);
  try {
    const own = await start(folder);
    return {
      kind,
      address: `mongodb://127.0.0.1:${own.port}`,
      process: own,
      async stop() {
        await own.halt();
        removeFolder();
      },
    };
  } catch (error) {
    removeFolder();
    throw error;
  }
}

/** What was written to a shared server goes when its user has done with it. */
function useServer({ kind, address, ...own }: Address & Partial<OwnMongo>): MongoServer {
  const made: string[] = [];
  const newUri = () => {
    const uri = nameDatabase(address, `skilldock-test-${randomBytes(6).toString('hex')}`);
    made.push(uri);
    return uri;
  };
  const stop = own.stop ?? (() => dropDatabases(made));
  return { kind, uri: newUri(), newUri, process: own.process ?? null, stop };
}

/** The same address with another database. Without one, credentials belong to `admin`; that must
 *  not change. */
function nameDatabase(address: string, database: string): string {
  const [, servers = address, named = '', options = ''] =
    /^(mongodb(?:\+srv)?:\/\/[^/?]+)\/?([^?]*)\??(.*)$/.exec(address) ?? [];
  const authSource = servers.includes('@') && !/authSource=/i.test(options) ? `authSource=${named || 'admin'}` : '';
  const kept = [options, authSource].filter((part) => part !== '').join('&');
  return `${servers}/${database}${kept === '' ? '' : `?${kept}`}`;
}

async function dropDatabases(uris: readonly string[]): Promise<void> {
  for (const uri of uris) {
    const connection = await mongoose.createConnection(uri).asPromise();
    await connection.dropDatabase();
    await connection.close();
  }
}
