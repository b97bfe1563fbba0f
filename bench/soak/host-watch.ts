import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { WebSocket } from 'undici';
import type { HostProcess } from '../../test/helpers/host-process.ts';

/** What the host needs to be looked into. */
export const watchedSettings = { NODE_OPTIONS: '--inspect=127.0.0.1:0', LOG_LEVEL: 'warn' } as const;

/** By name; megabytes where the name ends with MB. What is only known after a collection is absent in most samples. */
export type Sample = Readonly<Record<string, number>>;

export interface HostWatch {
  /** @param isCollected whether garbage is collected first, so that what is left is known */
  sample(isCollected: boolean): Promise<Sample>;
  /** Seconds of a core that the process has used, and in which its main thread was ready to run without one. */
  core(): { readonly usedSeconds: number; readonly waitedSeconds: number };
  close(): void;
}

const MB = 2 ** 20;
const TICKS_PER_SECOND = 100;

/** Looks at the process of a host that was started with `watchedSettings`. */
export async function watchHost({ pid, url, dataDir, log }: HostProcess): Promise<HostWatch> {
  const inspector = await openInspector(/Debugger listening on (ws:\S+)/.exec(log())?.[1] ?? '');
  const read = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'utf8');
  const memory = async (prefix: string): Promise<Sample> => {
    const { heapUsed = 0, external = 0 } = await inspector.evaluate('process.memoryUsage()');
    return { [`${prefix} MB`]: heapUsed / MB, [`${prefix} external MB`]: external / MB };
  };
  return {
    async sample(isCollected) {
      const status = read('status');
      const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
      const used = await memory('used heap');
      if (isCollected) await inspector.send('HeapProfiler.collectGarbage');
      return {
        'RSS MB': kilobytes('VmRSS') / 1_024,
        'anonymous MB': kilobytes('RssAnon') / 1_024,
        ...used,
        ...(isCollected && (await memory('heap'))),
        fds: readdirSync(`/proc/${pid}/fd`).length,
        threads: kilobytes('Threads'),
        handles: await readHandles(url),
        'store MB': sizeOf(dataDir, (name) => name.startsWith('skilldock.db')),
        'data MB': sizeOf(dataDir, () => true),
      };
    },
    core() {
      const [user, system] = read('stat')
        .replace(/^.*\) /, '')
        .split(' ')
        .slice(11, 13);
      const waitedNs = Number(read(`task/${pid}/schedstat`).split(' ')[1]);
      return {
        usedSeconds: (Number(user) + Number(system)) / TICKS_PER_SECOND,
        waitedSeconds: waitedNs / 1e9,
      };
    },
    close: () => inspector.close(),
  };
}

async function readHandles(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^nodejs_active_handles_total (\d+)/m.exec(text)?.[1]);
}

/** Megabytes of the files whose name is wanted, at any depth. What goes while it is looked at is not counted. */
function sizeOf(folder: string, isWanted: (name: string) => boolean): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isWanted);
  const stats = names.map((name) => statSync(join(folder, name), { throwIfNoEntry: false }));
  return stats.reduce((sum, stat) => sum + (stat?.isFile() ? stat.size : 0), 0) / MB;
}

interface Answer {
  readonly id: number;
  readonly result?: { readonly result?: { readonly value?: Readonly<Record<string, number>> } };
  readonly error?: { readonly message: string };
}

/** The inspector of a process of Node.js. */
async function openInspector(address: string) {
  const socket = new WebSocket(address);
  const waiting = new Map<number, (answer: Answer) => void>();
  let asked = 0;
  await new Promise((done, fail) => {
    socket.addEventListener('open', done);
    socket.addEventListener('error', fail);
  });
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  async function send(method: string, params: object = {}): Promise<Answer> {
    const id = ++asked;
    const answered = new Promise<Answer>((done) => waiting.set(id, done));
    socket.send(JSON.stringify({ id, method, params }));
    const answer = await answered;
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
    return answer;
  }
  return {
    send,
    async evaluate(expression: string): Promise<Readonly<Record<string, number>>> {
      const { result } = await send('Runtime.evaluate', { expression, returnByValue: true });
      return result?.result?.value ?? {};
    },
    close: () => socket.close(),
  };
}
