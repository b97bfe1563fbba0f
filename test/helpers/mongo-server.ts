import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { javaCommand } from './mongo-java-server/java-command.ts';
import { mongodCommand } from './mongo-java-server/mongod-command.ts';
import { type OwnProcess, startOwnProcess } from './mongo-java-server/own-process.ts';
import { skipBecause } from './skips.ts';

export interface MongoServer {
  /** `given` by MONGODB_TEST_URI, a real `mongod` of our own, or `mongo-java-server`, which does not expire documents. */
  readonly kind: 'given' | 'mongod' | 'mongo-java-server';
  /** Of a database of its own that nobody else uses and that is gone after `stop`. */
  readonly uri: string;
  /** Of one more such database. */
  newUri(): string;
  /** The process, for tests that end it and start it again; null for a given server. */
  readonly process: OwnProcess | null;
  stop(): Promise<void>;
}

/** A MongoDB server to test with; null where none can be had, having said so. With `onDisk` what was written is there
 *  again after the server was ended in order and started anew. */
export async function startMongoServer(options: { onDisk?: boolean } = {}): Promise<MongoServer | null> {
  const given = process.env.MONGODB_TEST_URI;
  if (given !== undefined && given !== '') return useServer('given', given, null);
  const failures: string[] = [];
  for (const [kind, start] of [
    ['mongod', startMongod],
    ['mongo-java-server', startJavaServer],
  ] as const) {
    try {
      return await startOwn(kind, start, options.onDisk ?? false);
    } catch (error) {
      failures.push(`${kind}: ${error instanceof Error ? error.message.trim() : error}`);
    }
  }
  skipBecause(
    'there is no MongoDB server',
    `Tests of the MongoDB store run where MONGODB_TEST_URI names a server, mongod is on the PATH, or Java 17 and Maven are there. ${failures.join('. ')}`,
  );
  return null;
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

async function startOwn(
  kind: 'mongod' | 'mongo-java-server',
  start: (folder: string, onDisk: boolean) => Promise<OwnProcess>,
  onDisk: boolean,
): Promise<MongoServer> {
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-mongo-'));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeFolder);
  try {
    const own = await start(folder, onDisk);
    const server = useServer(kind, `mongodb://127.0.0.1:${own.port}`, own);
    return {
      ...server,
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

function useServer(kind: MongoServer['kind'], address: string, own: OwnProcess | null): MongoServer {
  const made: string[] = [];
  const newUri = () => {
    const uri = nameDatabase(address, `skilldock-test-${randomBytes(6).toString('hex')}`);
    made.push(uri);
    return uri;
  };
  return { kind, uri: newUri(), newUri, process: own, stop: () => dropDatabases(made) };
}

/** The same address with another database. Without one, credentials belong to `admin`; that must not change. */
function nameDatabase(address: string, database: string): string {
  const [, servers = address, named = '', options = ''] =
    /^(mongodb(?:\+srv)?:\/\/[^/?]+)\/?([^?]*)\??(.*)$/.exec(address) ?? [];
  const authSource =
    servers.includes('@') && !/authSource=/i.test(options) ? `authSource=${named || 'admin'}` : '';
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
