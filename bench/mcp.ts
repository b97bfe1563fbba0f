// npm run bench:mcp [-- --rounds 400]; run from the project root
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import { startHost } from './http/start-child.ts';
import { digits, quantile } from './measure.ts';

/** The same search over the API and by an assistant, in turn on one host: what the protocol costs
 *  is the difference at the median. */

const TARGET_MS = 1;
const WARM_UP = 100;

/** In turn, so that none is answered from what the search before has just found. */
const searches = ['python', 'leadership', 'statistique', 'machine learning', 'nursing', 'cuisine', 'sql for beginners'];

const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '400' } } });
  const rounds = Number(values.rounds);
  const host = await startHost();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = createAsk(host, agent);
  const ways = {
    'API, GET /learningobject/v2/search': (words: string) => ask.api(words),
    'MCP of 2025-11-25, search_learning': (words: string) => ask.mcp(words, '2025-11-25'),
    'MCP of 2026-07-28, search_learning': (words: string) => ask.mcp(words, '2026-07-28'),
  };
  const times = new Map(Object.keys(ways).map((name) => [name, [] as number[]]));
  try {
    for (let round = -WARM_UP; round < rounds; round++) {
      const words = searches[(round + WARM_UP) % searches.length] ?? '';
      for (const [name, way] of Object.entries(ways)) {
        const start = performance.now();
        await way(words);
        if (round >= 0) times.get(name)?.push(performance.now() - start);
      }
    }
    report(times);
  } finally {
    agent.destroy();
    await host.stop();
  }
}

function createAsk({ url, key }: { url: string; key: string }, agent: Agent) {
  const send = (path: string, headers: Record<string, string>, body?: string) =>
    new Promise<void>((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST';
      const asked = request(url + path, { agent, method, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => {
          // Both give ten objects.
          const isAnswer = response.statusCode === 200 && text.includes('https://');
          if (isAnswer) resolve();
          else reject(new Error(`${path} answered with ${response.statusCode}: ${text.slice(0, 200)}`));
        });
      });
      asked.on('error', reject).end(body);
    });
  return {
    api: (words: string) =>
      send(`/learningobject/v2/search?model=extended&prefer=en&keywords=${encodeURIComponent(words)}`, {
        'x-api-key': key,
      }),
    mcp(words: string, version: string) {
      const isModern = version === '2026-07-28';
      const params = {
        name: 'search_learning',
        arguments: { keywords: words },
        ...(isModern && { _meta: modernMeta }),
      };
      return send(
        '/mcp',
        {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': version,
          ...(isModern && { 'mcp-method': 'tools/call', 'mcp-name': 'search_learning' }),
        },
        JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      );
    },
  };
}

function report(times: ReadonlyMap<string, readonly number[]>): void {
  const [api = []] = times.values();
  const base = quantile(api, 0.5);
  console.log('way                                   median ms    p95 ms   over the API');
  for (const [name, each] of times) {
    const median = quantile(each, 0.5);
    const over =
      each === api
        ? ''
        : `${digits(median - base)} ms ${median - base <= TARGET_MS ? 'ok' : `more than ${TARGET_MS} ms`}`;
    console.log(
      `${name.padEnd(36)}  ${digits(median).padStart(9)}  ${digits(quantile(each, 0.95)).padStart(8)}   ${over}`,
    );
  }
}

await main();
