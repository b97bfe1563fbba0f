import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ObjectDocument } from '../../src/engine/objects/types.ts';
import { fold } from '../../src/engine/text/fold.ts';
import { kinds } from '../corpus/queries.ts';
import { required } from '../required.ts';
import type { Asked, BenchEngine, BuildTime } from './engine.ts';

export type PeerClock = 'wall' | 'cpu';

interface LinePeer {
  readonly name: string;
  /** Other ways to ask it: the line after a pass of queries, by the name of the way. */
  readonly ways?: Readonly<Record<string, string>>;
  /** Folder of an index that is there, or is to stay; absent means one for this run. */
  readonly kept?: string | undefined;
  start(folder: string): ChildProcessWithoutNullStreams;
}

/** An engine in a process beside this one, which reads and writes lines and keeps the clock itself:
 *  see LucenePeer.java and tantivy/src/main.rs. */
export function createLinePeer({ name, ways = {}, kept, start }: LinePeer): BenchEngine {
  const isBuilt = kept !== undefined && existsSync(kept);
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'skilldock-bench-'));
  const child = start(folder);
  child.stderr.pipe(process.stderr);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const read = async (): Promise<string> => required((await lines.next()).value, `answer of ${name}`);
  const write = (rows: readonly string[]) => child.stdin.write(`${rows.join('\n')}\n`);
  let bytes: number | undefined;
  let built: BuildTime | undefined;
  write([isBuilt ? 'open' : 'begin']);
  const asked = (own: string, how: string): Asked => ({
    name: own,
    kinds,
    async ask(queries) {
      bytes ??= Number(await read());
      write([...queries.map(({ kind, keywords, type }) => [kind, type, fold(keywords)].join('\t')), how]);
      const answers = (await read()).split(' ');
      const hits = Number(answers.pop());
      const pairs = answers.map((answer) => answer.split(':').map(Number));
      return {
        times: pairs.map(([nanoseconds = Number.NaN]) => nanoseconds / 1e6),
        totals: pairs.map(([, total = Number.NaN]) => total),
        hits: hits / queries.length,
      };
    },
  });
  return {
    ...asked(name, 'exact'),
    ways: Object.entries(ways).map(([own, how]) => asked(own, how)),
    isBuilt,
    async add(batch) {
      write([...batch.map(toLine), 'add']);
      await read();
    },
    async finish() {
      write(['finish']);
      const [buildSeconds = Number.NaN, cpuSeconds = Number.NaN] = (await read()).split(' ').map(Number);
      built = { buildSeconds, cpuSeconds };
    },
    buildTime: () => required(built, 'time of building'),
    indexBytes: () => bytes,
    close() {
      child.kill();
      if (kept === undefined) rmSync(folder, { recursive: true });
    },
  };
}

function toLine({ id, title, keywords, description, publishers, provider, types, blooms, lang }: ObjectDocument) {
  const texts = [title, keywords.join(' '), description, publishers.join(' ')];
  return [id, ...texts, provider, types[0], blooms[0], lang].join('\t');
}
