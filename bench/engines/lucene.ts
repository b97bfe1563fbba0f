import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ObjectDocument } from '../../src/engine/objects/types.ts';
import { fold } from '../../src/engine/text/fold.ts';
import { kinds } from '../corpus/queries.ts';
import { required } from '../required.ts';
import type { Asked, BenchEngine, BuildTime } from './engine.ts';

const PROJECT = 'bench/lucene';

/** Lucene in a JVM beside this process; it keeps the clock itself, see LucenePeer.java.
 *  @param kept folder of an index that is there, or is to stay; absent means one for this run */
export function createLucene(clock: 'wall' | 'cpu', kept?: string): BenchEngine {
  execFileSync('mvn', ['-q', '-f', `${PROJECT}/pom.xml`, 'compile'], { stdio: 'inherit' });
  const isBuilt = kept !== undefined && existsSync(kept);
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'skilldock-bench-'));
  const classes = `${PROJECT}/target/classes:${readFileSync(`${PROJECT}/target/classpath`, 'utf8')}`;
  const child = spawn('java', ['-Xms2g', '-Xmx2g', '-cp', classes, 'skilldock.LucenePeer', folder, clock], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const read = async (): Promise<string> => required((await lines.next()).value, 'answer of Lucene');
  const write = (rows: readonly string[]) => child.stdin.write(`${rows.join('\n')}\n`);
  let bytes: number | undefined;
  let built: BuildTime | undefined;
  write([isBuilt ? 'open' : 'begin']);
  const asked = (name: string, how: string): Asked => ({
    name,
    kinds,
    async ask(queries) {
      bytes ??= Number(await read());
      write([...queries.map(({ kind, keywords, type }) => [kind, type, fold(keywords)].join('\t')), how]);
      const numbers = (await read()).split(' ').map(Number);
      return {
        times: numbers.slice(0, -1).map((nanoseconds) => nanoseconds / 1e6),
        hits: required(numbers.at(-1), 'count') / queries.length,
      };
    },
  });
  return {
    ...asked('Lucene', 'exact'),
    ways: [asked('Lucene, totals cut short', 'cut'), asked('Lucene with facets', 'facets')],
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
