import { type ChildProcess, spawn } from 'node:child_process';
import { type AddressInfo, connect, createServer } from 'node:net';

/** One that ends is noticed at once; a busy machine takes its time. */
const START_TIMEOUT_MS = 120_000;

/** A server in a process of our own, on a port that it keeps. */
export interface OwnProcess {
  readonly port: number;
  /** Ends the process; with `SIGKILL` as a crash does. */
  halt(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again on the same port. */
  resume(): Promise<void>;
  /** Lets it hang: it keeps its connections and answers nothing. */
  freeze(): Promise<void>;
  thaw(): void;
}

/** Starts `commandOf(port)` on a free port and waits until it listens. */
export async function startOwnProcess(commandOf: (port: number) => readonly string[]): Promise<OwnProcess> {
  const port = await findFreePort();
  let child = await start(commandOf(port), port);
  return {
    port,
    async halt(signal = 'SIGTERM') {
      await ended(child, signal);
    },
    async resume() {
      child = await start(commandOf(port), port);
    },
    async freeze() {
      child.kill('SIGSTOP');
      // The signal is sent, not yet obeyed.
      await new Promise((done) => setTimeout(done, 500));
    },
    thaw() {
      child.kill('SIGCONT');
    },
  };
}

async function start([program = '', ...args]: readonly string[], port: number): Promise<ChildProcess> {
  // Standard input stays open as long as we live: Server.java ends when it does.
  const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-2000);
  });
  child.on('error', (error) => {
    said += error.message;
  });
  // mongod does not watch its input.
  const endIt = () => child.kill('SIGKILL');
  process.once('exit', endIt);
  child.once('exit', () => process.off('exit', endIt));
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await listens(port))) {
    if (child.pid === undefined || child.exitCode !== null) throw new Error(`${program} ended: ${said}`);
    if (Date.now() > deadline) {
      await ended(child, 'SIGKILL');
      throw new Error(`${program} did not listen within ${START_TIMEOUT_MS / 1000} s: ${said}`);
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  return child;
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((done) => {
    child.once('exit', done);
    child.kill(signal);
  });
}

function listens(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => done(true)).once('error', () => done(false));
    socket.once('connect', () => socket.destroy());
  });
}

function findFreePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
}
