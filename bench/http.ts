// npm run bench:http [-- --seconds 5 --rounds 4 --connections 10]; builds the host, run from the
// project root
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { type Child, startChild, startHost } from './http/start-child.ts';
import { digits, quantile } from './measure.ts';
import { required } from './required.ts';

interface Options {
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
}

const series = ['skilldock', 'skilldock, new searches', 'bare'] as const;
type Series = (typeof series)[number];

interface Measured {
  readonly perSecond: number;
  readonly p99: number;
  /** Milliseconds of the server's CPU a request. */
  readonly cpu: number;
}

const words = ['python', 'data analysis', 'machine learning', 'project management', 'web', 'statistics', 'history'];
const filters = ['', '&lang=en', '&free=true', '&match=strict', '&model=strict', '&max=5', '&learningTimeMax=60'];

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '4' },
      connections: { type: 'string', default: '10' },
    },
  });
  const options: Options = {
    seconds: Number(values.seconds),
    rounds: Number(values.rounds),
    connections: Number(values.connections),
  };
  const host = await startHost();
  const paths = await makePaths(host);
  const bodies = await fetchBodies(host, paths);
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-bench-'));
  writeFileSync(join(folder, 'bodies.json'), JSON.stringify(bodies));
  const bare = await startChild([
    fileURLToPath(new URL('http/bare-server.js', import.meta.url)),
    join(folder, 'bodies.json'),
  ]);
  const servers: Record<Series, Child> = { skilldock: host, 'skilldock, new searches': host, bare };
  const runs: Record<Series, Measured[]> = { skilldock: [], 'skilldock, new searches': [], bare: [] };
  // Turn by turn, the first one to warm up: whatever else the machine does hits both.
  for (let round = 0; round <= options.rounds; round++) {
    for (const name of series) {
      const isNew = name === 'skilldock, new searches';
      const measured = await load(
        servers[name],
        paths.map((path) => toRequest(path, host.key, isNew)),
        options,
      );
      if (round > 0) runs[name].push(measured);
    }
  }
  await Promise.all([host.stop(), bare.stop()]);
  rmSync(folder, { recursive: true });
  report(runs, Object.values(bodies));
}

/** Each word with each filter, at the providers in turn. */
async function makePaths({ url }: Child): Promise<string[]> {
  const response = await fetch(`${url}/learningobject/v2/provider`);
  const body = (await response.json()) as { response: readonly { id: string }[] };
  const providers = body.response.map(({ id }) => id);
  return words.flatMap((word, w) =>
    filters.map((filter, f) => {
      const provider = required(providers[(w * filters.length + f) % providers.length], 'provider');
      return `/learningobject/v2/search-provider?keywords=${encodeURIComponent(word)}&provider=${encodeURIComponent(provider)}${filter}`;
    }),
  );
}

async function fetchBodies({ url, key }: { url: string; key: string }, paths: readonly string[]) {
  const bodies: Record<string, string> = {};
  for (const path of paths) {
    const response = await fetch(url + path, { headers: { 'x-api-key': key } });
    bodies[path] = await response.text();
    if (!response.ok) throw new Error(`${response.status} for ${path}: ${bodies[path]}`);
  }
  return bodies;
}

async function load({ url, readCpu }: Child, requests: readonly BenchRequest[], options: Options): Promise<Measured> {
  const before = readCpu();
  const {
    requests: sent,
    latency,
    errors,
    timeouts,
    non2xx,
  } = await autocannon({
    url,
    connections: options.connections,
    duration: options.seconds,
    requests,
  });
  if (errors + timeouts + non2xx > 0)
    throw new Error(`${url}: ${errors} errors, ${timeouts} timeouts, ${non2xx} not 2xx`);
  return { perSecond: sent.average, p99: latency.p99, cpu: (readCpu() - before) / sent.total };
}

type BenchRequest = ReturnType<typeof toRequest>;
let asked = 0;

/** The host remembers the answers of its last searches. A new one has a filter that nobody asked
 *  for and that everything meets, so it is worked out and its answer is the same. */
function toRequest(path: string, key: string, isNew: boolean) {
  const headers = { 'x-api-key': key };
  if (!isNew) return { path, headers };
  const setupRequest = (request: object) => ({
    ...request,
    path: `${path}&popularityMin=${(++asked / 1e9).toFixed(9)}`,
  });
  return { path, headers, setupRequest };
}

function report(runs: Record<Series, Measured[]>, bodies: readonly string[]): void {
  const medians = (name: keyof typeof runs) => {
    const median = (of: keyof Measured) =>
      quantile(
        runs[name].map((run) => run[of]),
        0.5,
      );
    return { perSecond: median('perSecond'), p99: median('p99'), cpu: median('cpu') };
  };
  const [ours, fresh, bare] = [medians('skilldock'), medians('skilldock, new searches'), medians('bare')];
  const bytes = bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0) / bodies.length;
  console.log(`${bodies.length} queries, ${Math.round(bytes)} bytes an answer; medians of ${runs.bare.length} rounds`);
  const row = (server: string, { perSecond, p99, cpu }: Measured) => ({
    server,
    'requests/s': Math.round(perSecond),
    'p99 ms': digits(p99, 1),
    'CPU ms': digits(cpu, 2),
    'bare CPU by its own': digits(bare.cpu / cpu, 2),
  });
  console.table([row('skilldock', ours), row('skilldock, new searches', fresh), row('bare Express', bare)]);
  console.log(`load of the machine ${digits(loadavg()[0] ?? 0, 1)}`);
  console.log(
    JSON.stringify({
      skilldock: ours,
      newSearches: fresh,
      bare,
      share: ours.perSecond / bare.perSecond,
      shareOfNewSearches: fresh.perSecond / bare.perSecond,
    }),
  );
}

await main();
