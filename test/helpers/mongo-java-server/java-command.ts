import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { makeOnce } from '../make-once.ts';

const run = promisify(execFile);
// Also where this file was compiled into another folder, which has no others beside it.
const here = resolve('test/helpers/mongo-java-server');
const pom = join(here, 'pom.xml');
const MAVEN_TIMEOUT_MS = 240_000;

/** The program and its first arguments that start mongo-java-server; PORT and, for data on disk, a file come after.
 *  Rejects where there is no Java 17, or no Maven and no network when the libraries are fetched for the first time. */
export async function javaCommand(): Promise<readonly string[]> {
  await run('java', ['-version']);
  const libraries = await ensureLibraries(pom, 'mongo-java-server');
  // The second compiler only slows down a start as short as this one's.
  const quick = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xmx512m'];
  return ['java', ...quick, '-cp', join(libraries, '*'), join(here, 'Server.java')];
}

/** Folder with a server's libraries: fetched once for each state of its pom.xml. Maven does not like company in its repository.
 *  @param name of its folder in the cache */
export function ensureLibraries(pom: string, name: string): Promise<string> {
  const state = createHash('sha256').update(readFileSync(pom)).digest('hex').slice(0, 12);
  const fetch = async (partial: string) => {
    const args = ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${partial}`];
    await run('mvn', args, { timeout: MAVEN_TIMEOUT_MS });
  };
  const libraries = resolve('node_modules/.cache', name, state, 'lib');
  return makeOnce(libraries, fetch, { timeoutMs: MAVEN_TIMEOUT_MS });
}
