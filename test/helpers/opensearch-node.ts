import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ensureLibraries } from './mongo-java-server/java-command.ts';
import { type OwnProcess, startOwnProcess } from './mongo-java-server/own-process.ts';
import { skipBecause } from './skips.ts';

export interface OpenSearchNode {
  readonly address: string;
  /** Ends one of one's own. */
  stop(): Promise<void>;
  /** Null for one that others use, too. */
  readonly process: OwnProcess | null;
  /** For names of indexes that nobody else has. */
  readonly prefix: string;
}

export interface OwnOpenSearch {
  readonly address: string;
  readonly process: OwnProcess;
  stop(): Promise<void>;
}

const run = promisify(execFile);
const project = resolve('bench/opensearch');
const pom = join(project, 'pom.xml');
const program = join(project, 'src/main/java/skilldock/OneNode.java');

/** A real node to test with, that of the whole run where none of one's own is asked for; null where
 *  none can be had, having said so. `OPENSEARCH_TEST_URL` names another one. */
export async function startOpenSearch({ isOwn = false } = {}): Promise<OpenSearchNode | null> {
  const prefix = `test-${randomBytes(6).toString('hex')}`;
  const stop = async () => undefined;
  const given = process.env.OPENSEARCH_TEST_URL;
  try {
    if (isOwn) {
      const own = await startOwnOpenSearch(mkdtempSync(join(tmpdir(), 'skilldock-opensearch-')));
      return { ...own, prefix };
    }
    if (given !== undefined && given !== '') return { address: given, process: null, prefix, stop };
    const { inject } = await import('vitest');
    const response = await fetch(`${inject('sharedServersUrl')}/opensearch`);
    if (!response.ok) throw new Error(await response.text());
    return { ...((await response.json()) as { address: string }), process: null, prefix, stop };
  } catch (error) {
    skipBecause(
      'there is no OpenSearch node',
      `Tests of the catalogue on OpenSearch run where OPENSEARCH_TEST_URL names a node, or Java 17 and Maven are there. ${error instanceof Error ? error.message : error}`,
    );
    return null;
  }
}

/** @param folder its data stays there; without one it goes with the node */
export async function startOwnOpenSearch(folder = ''): Promise<OwnOpenSearch> {
  await run('java', ['-version']);
  const libraries = await ensureLibraries(pom, 'opensearch');
  const java = ['java', '-Xms512m', '-Xmx512m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
  const own = await startOwnProcess((port) => [...[...java, '-cp', join(libraries, '*'), program, folder, `${port}`]]);
  return { address: `http://127.0.0.1:${own.port}`, process: own, stop: () => own.halt() };
}
