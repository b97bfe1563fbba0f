// npm run bench:pages [-- --requests 300]; builds the host, run from the project root
import { Agent, request } from 'node:http';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { createAdminBrowser } from '../test/faces/admin/admin-browser.ts';
import { startFakePlatform } from '../test/fakes/lti-platform.ts';
import { startHost } from './http/start-child.ts';
import { digits, quantile } from './measure.ts';
import { required } from './required.ts';
import { registerPlatform } from './soak/course-lane.ts';

/** What a page costs the host, in milliseconds of CPU: of all its threads, so with compression. */

interface Page {
  readonly name: string;
  /** Milliseconds of CPU at most. */
  readonly budget: number;
  /** @param launch the token of somebody who places resources in a course */
  address(number: number, launch: string): string;
}

const words = [
  ...['python', 'data analysis', 'machine learning', 'project management', 'statistics', 'first aid', 'nursing'],
  ...['leadership', 'sql for beginners', 'photosynthesis', 'climate change', 'gestion de projet', 'Datenanalyse'],
];
const wordsOf = (number: number) => encodeURIComponent(words[number % words.length] ?? '');

const pages: readonly Page[] = [
  { name: 'front page', budget: 1, address: () => '/' },
  { name: 'overview of topics', budget: 1, address: () => '/browse' },
  { name: 'results', budget: 5, address: (number) => `/?q=${wordsOf(number)}` },
  { name: 'results, filtered, new', budget: 8, address: (number) => `/?q=${wordsOf(number)}&length=-${500 + number}` },
  { name: 'picker', budget: 6, address: (_number, launch) => `/lti/picker?launch=${launch}` },
  { name: "picker's first answer", budget: 6, address: (number) => `/lti/picker/results?q=${wordsOf(number)}` },
  {
    name: 'objects of a topic',
    budget: 15,
    address: (number) => `/browse?topic=${['0613', '023', '041'][number % 3]}`,
  },
];

const ROUNDS = 5;
const password = 'four words about nothing';

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { requests: { type: 'string', default: '300' } } });
  const requests = Number(values.requests);
  // Each request comes from another address, as each address has few searches.
  const host = await startHost({ TRUST_PROXY: '1', ADMIN_PASSWORD: password });
  const platform = await startFakePlatform();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let asked = 0;
  let launch = '';
  const get = (path: string) => send(host.url + path, { agent, number: asked++, launch });
  const readCpu = async () => {
    const metrics = await get('/metrics');
    return Number(/^process_cpu_seconds_total (\S+)$/m.exec(metrics)?.[1]) * 1000;
  };
  try {
    launch = await openPicker(platform, host.url);
    const costs = new Map(pages.map(({ name }) => [name, [] as number[]]));
    for (let round = -1; round < ROUNDS; round++) {
      for (const { name, address } of pages) {
        const before = await readCpu();
        for (let number = 0; number < requests; number++) await get(address(number + (round + 1) * requests, launch));
        if (round >= 0) costs.get(name)?.push(((await readCpu()) - before) / requests);
      }
    }
    console.log(`load of the machine ${digits(loadavg()[0] ?? 0, 1)}`);
    console.log('page                        CPU ms   budget');
    for (const { name, budget } of pages) {
      const cost = quantile(costs.get(name) ?? [], 0.5);
      console.log(`${name.padEnd(26)}  ${digits(cost, 2).padStart(6)}   ${budget}${cost <= budget ? '' : ' exceeded'}`);
    }
  } finally {
    agent.destroy();
    await platform.close();
    await host.stop();
  }
}

/** The token of a launch that asks for resources. */
async function openPicker(platform: Awaited<ReturnType<typeof startFakePlatform>>, url: string): Promise<string> {
  const owner = createAdminBrowser(url);
  await owner.post('/sign-in', { name: 'admin', password });
  await registerPlatform(platform, { url, owner });
  const [course] = platform.courses.keys();
  const { location } = await platform.launch({ course: required(course, 'course') });
  return required(location?.searchParams.get('launch'), 'token');
}

interface Asked {
  readonly agent: Agent;
  readonly number: number;
  readonly launch: string;
}

function send(url: string, { agent, number, launch }: Asked): Promise<string> {
  const headers = {
    accept: 'text/html',
    'accept-encoding': url.endsWith('/metrics') ? 'identity' : 'gzip, br',
    'accept-language': 'en',
    ...(url.includes('/lti/') && { authorization: `Bearer ${launch}` }),
    'x-forwarded-for': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
  };
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        if (response.statusCode === 200) resolve(Buffer.concat(parts).toString());
        else reject(new Error(`${url} answered with ${response.statusCode}`));
      });
    });
    asked.on('error', reject).end();
  });
}

await main();
