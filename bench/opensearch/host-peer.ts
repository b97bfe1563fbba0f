import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ObjectDocument } from '../../src/engine/objects/types.ts';
import type { BenchQuery } from '../corpus/queries.ts';
import { HITS } from '../engines/engine.ts';
import { type Child, startChild } from '../http/start-child.ts';
import { createHttpClient } from './http-client.ts';
import type { HttpPeer } from './http-peer.ts';
import { askNodeAlone, overhear, type Search } from './node-alone.ts';

const COMMAND = 'bin/skilldock.js';
/** Our names for the types of the generated documents. */
const typeNames: Readonly<Record<string, string>> = { course: 'training' };
const LINES = 10_000;
/** An import and the making of its index hold more than Node's default on a small machine. */
const IMPORT_OPTIONS = '--max-old-space-size=8000';

interface Imported {
  readonly start: (settings?: Readonly<Record<string, string>>) => Promise<Child>;
  readonly key: string;
  readonly facts: Pick<HttpPeer, 'documents' | 'buildSeconds' | 'indexBytes'>;
}

/** Our host as it is run, on a data folder of its own into which the documents were imported with its own command. */
export async function openHost(documents: Iterable<ObjectDocument>): Promise<HttpPeer> {
  const { start, key, facts } = await importDocuments(documents);
  return openPeer('skilldock host', { host: await start(), key, facts });
}

/** The same with its objects on an OpenSearch; and that node alone, asked what the host asks it.
 *  @param catalog its address, with the path that stands for the names of its indexes */
export async function openHostOn(
  catalog: string,
  documents: Iterable<ObjectDocument>,
  queries: Iterable<BenchQuery>,
): Promise<[HttpPeer, HttpPeer]> {
  const { start, key, facts } = await importDocuments(documents, catalog);
  const overheard = await overhear(catalog);
  const asking = openPeer('skilldock host, overheard', {
    host: await start({ CATALOG_URL: overheard.url }),
    key,
    facts,
  });
  const searches = new Map<BenchQuery, readonly Search[]>();
  for (const query of queries) {
    await asking.search(query);
    searches.set(query, overheard.take());
  }
  await asking.close();
  overheard.close();
  return [
    openPeer('skilldock host, objects on the node', { host: await start(), key, facts }),
    askNodeAlone(new URL(catalog).origin, searches, facts),
  ];
}

async function importDocuments(documents: Iterable<ObjectDocument>, catalog = ''): Promise<Imported> {
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-bench-'));
  // Also after a failure: a million objects are gigabytes.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const env = {
    ...process.env,
    DATA_DIR: join(folder, 'data'),
    PORT: '0',
    LOG_LEVEL: 'error',
    CATALOG_URL: catalog,
  };
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [IMPORT_OPTIONS, COMMAND, ...args], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  const file = join(folder, 'objects.jsonl');
  const count = await writeObjectLines(file, documents);
  const started = performance.now();
  run('import', 'objects', file, '--name', 'bench', '--rejected', join(folder, 'rejected.csv'), '--json');
  const buildSeconds = (performance.now() - started) / 1000;
  rmSync(file);
  const limits = ['--per-second', '1000000', '--per-day', '1000000000'];
  const { key } = JSON.parse(run('keys', 'create', '--name', 'bench', '--json', ...limits)) as {
    key: string;
  };
  return {
    key,
    facts: { documents: count, buildSeconds, indexBytes: sizeOf(join(folder, 'data')) },
    start: (settings) => startChild([COMMAND, 'serve'], { ...env, ...settings }),
  };
}

function openPeer(
  name: string,
  { host, key, facts }: Pick<Imported, 'key' | 'facts'> & { readonly host: Child },
): HttpPeer {
  const client = createHttpClient(host.url, { 'x-api-key': key });
  return {
    name,
    ...facts,
    search: (query) => client.send(pathOf(query)),
    countHits: (answer) => (JSON.parse(answer) as Answer).response.content.length,
    async close() {
      await client.close();
      await host.stop();
    },
  };
}

interface Answer {
  readonly response: { readonly content: readonly unknown[] };
}

let asked = 0;

/** The host remembers the answers of its last searches; a filter that every document meets makes each search a new one. */
function pathOf({ kind, keywords, type }: BenchQuery): string {
  const query = new URLSearchParams({
    keywords,
    type: typeNames[type] ?? type,
    model: kind === 'all-terms' ? 'strict' : 'extended',
    match: 'strict',
    max: String(HITS),
    levelMin: (-1 + ++asked / 1e12).toFixed(12),
  });
  return `/learningobject/v2/search?${query}`;
}

/** Lines as `skilldock import objects` takes them. */
export async function writeObjectLines(file: string, documents: Iterable<ObjectDocument>): Promise<number> {
  const out = await open(file, 'w');
  let count = 0;
  let lines: string[] = [];
  const flush = async () => {
    if (lines.length > 0) await out.write(`${lines.join('\n')}\n`);
    lines = [];
  };
  for (const document of documents) {
    lines.push(JSON.stringify(toRow(document)));
    count++;
    if (lines.length >= LINES) await flush();
  }
  await flush();
  await out.close();
  return count;
}

function toRow({ id, types, blooms, minutes, publishers, authors, ...document }: ObjectDocument): object {
  return {
    ...document,
    url: id,
    type: types.map((type) => typeNames[type] ?? type),
    bloom: blooms.map((bloom) => bloom.charAt(0).toUpperCase() + bloom.slice(1)),
    learningTime: minutes === undefined ? undefined : `${minutes} min`,
    publisher: publishers,
    author: authors,
  };
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, entry) => (entry.isFile() ? sum + entry.size : sum), 0);
}
