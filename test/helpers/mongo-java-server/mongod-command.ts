import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { MongoBinary } from 'mongodb-memory-server-core';

const DOWNLOAD_TIMEOUT_MS = 20_000;

/** The program of a real server and its first arguments; `--port` and `--dbpath` come after. Rejects where there is none
 *  on the PATH and none to be had from MongoDB within 20 s. */
export async function mongodCommand(): Promise<readonly string[]> {
  const onPath = await promisify(execFile)('mongod', ['--version']).catch(() => null);
  const program = onPath === null ? await fetchMongod() : 'mongod';
  // Tests have dates of their own, long past by now: what has expired stays until the test of expiry lets it go.
  const expiry = ['--setParameter', 'ttlMonitorEnabled=false', '--setParameter', 'ttlMonitorSleepSecs=1'];
  return [program, '--bind_ip', '127.0.0.1', '--nounixsocket', ...expiry];
}

/** One try: where the download is out of reach, it fails at once instead of after three tries and 14 s. */
async function fetchMongod(): Promise<string> {
  process.env.MONGOMS_MAX_RETRIES ??= '1';
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the download of mongod takes too long')), DOWNLOAD_TIMEOUT_MS);
  });
  try {
    return await Promise.race([MongoBinary.getPath(), tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
