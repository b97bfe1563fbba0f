import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
// Also where this file was compiled into another folder, which has no others beside it.
const here = resolve('test/helpers/mongo-java-server');
const pom = join(here, 'pom.xml');
const MAVEN_TIMEOUT_MS = 120_000;

/** The program and its first arguments that start mongo-java-server; PORT and, for data on disk, a file come after.
 *  Rejects where there is no Java 17, or no Maven and no network when the libraries are fetched for the first time. */
export async function javaCommand(): Promise<readonly string[]> {
  await run('java', ['-version']);
  const libraries = await ensureLibraries();
  // The second compiler only slows down a start as short as this one's.
  const quick = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xmx512m'];
  return ['java', ...quick, '-cp', join(libraries, '*'), join(here, 'Server.java')];
}

/** Folder with the server's libraries: fetched once for each state of pom.xml. */
async function ensureLibraries(): Promise<string> {
  const state = createHash('sha256').update(readFileSync(pom)).digest('hex').slice(0, 12);
  const cache = resolve('node_modules/.cache/mongo-java-server', state);
  const libraries = join(cache, 'lib');
  mkdirSync(cache, { recursive: true });
  while (!existsSync(libraries)) {
    if (takeLock(join(cache, 'lock'))) await fetchLibraries(cache, libraries);
    else await new Promise((done) => setTimeout(done, 200));
  }
  return libraries;
}

/** The folder appears under its name when it is complete, so that whoever finds it may use it. */
async function fetchLibraries(cache: string, libraries: string): Promise<void> {
  const partial = join(cache, 'partial');
  try {
    if (existsSync(libraries)) return;
    rmSync(partial, { recursive: true, force: true });
    const args = ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${partial}`];
    await run('mvn', args, { timeout: MAVEN_TIMEOUT_MS });
    renameSync(partial, libraries);
  } finally {
    rmSync(join(cache, 'lock'), { recursive: true, force: true });
  }
}

/** Two test files may start at once, and Maven does not like company in its repository. A lock that is older than Maven's
 *  time belongs to a run that was killed. */
function takeLock(lock: string): boolean {
  try {
    if (Date.now() - statSync(lock).mtimeMs > MAVEN_TIMEOUT_MS)
      rmSync(lock, { recursive: true, force: true });
  } catch {
    // There is none.
  }
  try {
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
}
