import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const program = resolve('bin/skilldock.js');

export interface HostProcess {
  readonly url: string;
  readonly pid: number;
  readonly dataDir: string;
  readonly demoKey: string;
  /** What it printed on standard output so far. */
  readonly output: () => string;
  /** What it logged on standard error so far; shown as well, unless a log level was asked for. */
  readonly log: () => string;
  /** A new personal key, made on the command line beside the running host. */
  createKey(...options: string[]): Promise<string>;
  /** Exit code after the signal. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** The built host as its users start it, on a free port with a data folder of its own. */
export async function startHostProcess(
  env: Record<string, string> = {},
  options: readonly string[] = [],
): Promise<HostProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), 'skilldock-test-'));
  // Nothing of the web is asked for pictures.
  const own = { PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn', PICTURES: '0' };
  const settings = { ...process.env, ...own, ...env };
  const child = spawn(process.execPath, [program, 'serve', '--verbose', ...options], {
    env: settings,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += chunk;
    if (env.LOG_LEVEL === undefined) process.stderr.write(chunk);
  });
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const url = await waitFor(child, () => /ready at (\S+)/.exec(output)?.[1]);
  return {
    url,
    pid: child.pid!,
    dataDir,
    demoKey: await waitFor(child, () => /Demo key[^:]*: (\S+)/.exec(output)?.[1]),
    output: () => output,
    log: () => log,
    async createKey(...options) {
      const command = ['keys', 'create', '--name', 'test', '--json', ...options];
      const { stdout } = await promisify(execFile)(process.execPath, [program, ...command], {
        env: settings,
      });
      return (JSON.parse(stdout) as { key: string }).key;
    },
    async stop(signal = 'SIGTERM') {
      const code = await ended(child, signal);
      rmSync(dataDir, { recursive: true, force: true });
      return code;
    },
  };
}

export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Run a command of the built program to its end, or until the signal has it killed: its code is -1 then. */
export async function runProgram(
  args: readonly string[],
  env: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Run> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, ...env },
    killSignal: 'SIGKILL',
    ...(signal && { signal }),
  });
  // Of the signal.
  child.on('error', () => undefined);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const code = await new Promise<number>((done) => child.once('close', (status) => done(status ?? -1)));
  return { code, stdout, stderr };
}

async function waitFor(child: ChildProcess, read: () => string | undefined): Promise<string> {
  for (;;) {
    const found = read();
    if (found !== undefined) return found;
    if (child.exitCode !== null) throw new Error(`the host ended with ${child.exitCode} before it was ready`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  return new Promise((done) => {
    child.once('close', done);
    child.kill(signal);
  });
}
