import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A server in a process of its own. */
export interface Child {
  /** Without a slash at the end. */
  readonly url: string;
  /** Milliseconds of CPU of all its threads until now; NaN where the system does not tell. */
  readCpu(): number;
  stop(): Promise<void>;
}

const MS_A_TICK = 10;

const ADDRESS = /http:\/\/[\w.:[\]-]+:\d+/;

/** Start a server that prints its address when it is ready. */
export async function startChild(args: readonly string[], env: Record<string, string> = {}): Promise<Child> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const url = await readAddress(child);
  return {
    url,
    readCpu() {
      const file = `/proc/${child.pid}/stat`;
      if (!existsSync(file)) return Number.NaN;
      const [, after = ''] = readFileSync(file, 'latin1').split(') ');
      const [user, system] = after.split(' ').slice(11, 13).map(Number);
      return ((user ?? Number.NaN) + (system ?? Number.NaN)) * MS_A_TICK;
    },
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function readAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const read = (chunk: Buffer) => {
      printed += chunk.toString();
      const address = ADDRESS.exec(printed);
      if (address === null) return;
      // What it logs from here on is thrown away, or keeping it would be measured as well.
      child.stdout?.off('data', read).resume();
      resolve(address[0]);
    };
    child.stdout?.on('data', read);
    child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it was ready.\n${printed}`)));
  });
}

/** Our host as it is run, on any free port and with data of its own, and a key that is never
 *  throttled. */
export async function startHost(settings: Record<string, string> = {}): Promise<Child & { readonly key: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'skilldock-bench-'));
  const env = { DATA_DIR: dataDir, PORT: '0', ...settings };
  const host = await startChild(['bin/skilldock.js', 'serve'], env);
  const limits = ['--per-second', '1000000', '--per-day', '1000000000'];
  const made = execFileSync(
    process.execPath,
    ['bin/skilldock.js', 'keys', 'create', '--name', 'bench', '--json', ...limits],
    { env: { ...process.env, ...env }, encoding: 'utf8' },
  );
  const { key } = JSON.parse(made) as { key: string };
  return {
    ...host,
    key,
    async stop() {
      await host.stop();
      rmSync(dataDir, { recursive: true });
    },
  };
}
