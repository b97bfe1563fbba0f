// npm run bench:hostile [-- --requests 400 --rounds 4]; builds the host, run from the project root
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type AdminBrowser, createAdminBrowser } from '../test/faces/admin/admin-browser.ts';
import { type HostProcess, startHostProcess } from '../test/helpers/host-process.ts';
import { BUSY, busySite } from '../test/hostile/hostile-files.ts';
import { placeHostile } from '../test/hostile/read-hostile.ts';
import { quantile } from './measure.ts';

const TARGET = 2;
const password = 'four words about nothing';

/** Milliseconds of requests that are made one after the other, with the pauses of somebody who
 *  looks at the answers. */
async function time(paths: () => string, host: HostProcess, requests: number): Promise<number[]> {
  const times: number[] = [];
  for (let asked = 0; asked < requests; asked++) {
    const begun = performance.now();
    // From many addresses, as one may not ask so often.
    const headers = { 'x-forwarded-for': `10.0.${asked % 250}.${asked % 200}` };
    const answer = await fetch(host.url + paths(), { headers });
    await answer.text();
    if (answer.status !== 200) throw new Error(`${answer.url} answered with ${answer.status}`);
    times.push(performance.now() - begun);
    await sleep(2);
  }
  return times;
}

/** Runs `act` while an import reads what takes long. */
async function whileImporting<T>(owner: AdminBrowser, act: () => Promise<T>): Promise<T> {
  const { request, close } = await placeHostile(busySite, BUSY);
  const fields = { format: request.format, address: request.location, langs: '', name: '' };
  const begun = await owner.postFile('/imports/new', fields, null);
  if (begun.status !== 303) throw new Error(`the import was answered with ${begun.status}`);
  const { pathname } = new URL(begun.headers.get('location') ?? '', 'http://host');
  const path = pathname.slice('/admin'.length);
  const isRunning = async () => (await owner.page(path)).includes('data-import-text');
  const result = await act();
  if (!(await isRunning())) throw new Error('the import ended too early');
  // Answered when it has ended.
  await owner.post(`${path}/stop`, {});
  await close();
  return result;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { requests: { type: 'string', default: '400' }, rounds: { type: 'string', default: '4' } },
  });
  const host = await startHostProcess({ ADMIN_PASSWORD: password, TRUST_PROXY: '1' });
  try {
    await compare(host, { requests: Number(values.requests), rounds: Number(values.rounds) });
  } finally {
    await host.stop();
  }
}

async function compare(host: HostProcess, { requests, rounds }: Readonly<Record<'requests' | 'rounds', number>>) {
  const owner = createAdminBrowser(host.url);
  await owner.post('/sign-in', { name: 'admin', password });
  let searches = 0;
  const kinds = { healthz: () => '/healthz', searches: () => `/?q=python+${searches++}` };
  const rows = [];
  for (const [name, paths] of Object.entries(kinds)) {
    const measure = () => time(paths, host, requests);
    await measure();
    const [without, beside]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      without.push(...(await measure()));
      beside.push(...(await whileImporting(owner, measure)));
    }
    const [before, during] = [quantile(without, 0.99), quantile(beside, 0.99)];
    rows.push({
      requests: name,
      'p99 ms': before,
      'p99 ms beside an import': during,
      ratio: during / before,
    });
  }
  console.table(rows.map((row) => ({ ...row, target: TARGET })));
  console.log(JSON.stringify(rows));
}

await main();
