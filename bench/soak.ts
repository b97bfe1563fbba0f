// npm run bench:soak; SOAK_MINUTES=30; builds the host, run from the project root; Linux only
import { setMaxListeners } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createAdminBrowser } from '../test/faces/admin/admin-browser.ts';
import { type HostProcess, startHostProcess } from '../test/helpers/host-process.ts';
import { digits, quantile } from './measure.ts';
import { createAdminLanes, loadRareParts } from './soak/admin-lanes.ts';
import { createApiLanes } from './soak/api-lanes.ts';
import { createCourseLane } from './soak/course-lane.ts';
import { watchedSettings, watchHost } from './soak/host-watch.ts';
import { type Lane, type LaneCounts, runLanes } from './soak/lanes.ts';
import { compareLevels, isGrown, type Level, summarizeMinute, type Taken } from './soak/level.ts';
import { startSoakSlack } from './soak/slack-lane.ts';
import { createWords } from './soak/words.ts';

const SAMPLE_SECONDS = 5;
/** Every so many samples garbage is collected first: rarely, as a host of users does not. */
const SAMPLES_TO_COLLECTION = 12;
const SLOW_MS = 500;
const minutes = Number(process.env.SOAK_MINUTES ?? 30);
const password = 'four words about nothing';

interface Soaked {
  readonly taken: readonly Taken[];
  readonly counts: LaneCounts;
  /** Milliseconds of `/healthz`. */
  readonly healthMs: readonly number[];
  /** Of a core. */
  readonly cpuShare: number;
  /** Of the time, in which its main thread was ready to run and other programs had the cores. */
  readonly waitingShare: number;
}

async function main(): Promise<void> {
  const slack = await startSoakSlack();
  const settings = { ...watchedSettings, ...slack.settings, ADMIN_PASSWORD: password };
  const host = await startHostProcess({ ...settings, TRUST_PROXY: '1', DEMO: '0' });
  try {
    const owner = createAdminBrowser(host.url);
    await owner.post('/sign-in', { name: 'admin', password });
    const key = await host.createKey('--per-second', '1000000', '--per-day', '1000000000');
    const deps = { url: host.url, owner, password, key, draw: createWords(18) };
    const course = await createCourseLane(deps);
    const lanes = [
      ...(await createApiLanes(deps)),
      course.lane,
      await slack.createLane(host.url, deps.draw),
      ...createAdminLanes(deps),
    ];
    await loadRareParts(deps);
    const soaked = await soak(host, lanes);
    noteProblems(soaked.counts, 'the platform refused', course.refusals);
    noteProblems(soaked.counts, 'Slack saw', slack.problems);
    noteProblems(soaked.counts, 'logged', readLog(host));
    await course.close();
    report(soaked);
  } finally {
    await host.stop();
    await slack.close();
  }
}

async function soak(host: HostProcess, lanes: readonly Lane[]): Promise<Soaked> {
  const watch = await watchHost(host);
  const over = AbortSignal.timeout(minutes * 60_000);
  setMaxListeners(lanes.length + 1, over);
  const health = watchHealth(host);
  const taken: Taken[] = [];
  const begun = performance.now();
  const before = watch.core();
  const passedMinutes = () => (performance.now() - begun) / 60_000;
  const sampling: Lane = {
    name: 'sampling',
    everySeconds: SAMPLE_SECONDS,
    async act(turn) {
      const minute = passedMinutes();
      taken.push({ minute, sample: await watch.sample(turn % SAMPLES_TO_COLLECTION === 0) });
      const last = Math.floor(taken.at(-2)?.minute ?? 0);
      if (Math.floor(minute) > last) printMinute(taken, last);
    },
  };
  const counts = await runLanes([sampling, ...lanes], over);
  noteProblems(counts, 'healthz', await health.end());
  const after = watch.core();
  watch.close();
  const shareOf = (name: 'usedSeconds' | 'waitedSeconds') => (after[name] - before[name]) / (passedMinutes() * 60);
  const [cpuShare, waitingShare] = [shareOf('usedSeconds'), shareOf('waitedSeconds')];
  return { taken, counts, healthMs: health.times, cpuShare, waitingShare };
}

function watchHealth({ url }: HostProcess) {
  const times: number[] = [];
  const problems: string[] = [];
  const begun = performance.now();
  const worker = new Worker(new URL('./soak/health-worker.js', import.meta.url), { workerData: url });
  worker.on('message', (said: number | string) => {
    if (typeof said === 'number') times.push(said);
    else problems.push(said);
    if (Number(said) > SLOW_MS)
      console.log(`/healthz took ${said} ms in minute ${digits((performance.now() - begun) / 60_000 + 1)}`);
  });
  return {
    times,
    /** @returns what went wrong */
    async end(): Promise<readonly string[]> {
      await worker.terminate();
      return problems;
    },
  };
}

function printMinute(taken: readonly Taken[], minute: number): void {
  const cells = Object.entries(summarizeMinute(taken, minute)).map(([name, value]) => `${name} ${digits(value, 1)}`);
  console.log(`minute ${String(minute + 1).padStart(2)}: ${cells.join(' · ')}`);
}

/** Lines of the log, by their message. */
function readLog(host: HostProcess): readonly { readonly reason: string }[] {
  const lines = host.log().split('\n');
  return lines.flatMap((line) => {
    if (!line.startsWith('{')) return [];
    const { msg, err } = JSON.parse(line) as { msg: string; err?: { message: string } };
    return [{ reason: `${msg} ${err?.message ?? ''}` }];
  });
}

function noteProblems(
  { errors }: LaneCounts,
  what: string,
  problems: readonly (string | { readonly reason: string })[],
): void {
  for (const problem of problems) {
    const name = `${what}: ${typeof problem === 'string' ? problem : problem.reason}`;
    errors.set(name, (errors.get(name) ?? 0) + 1);
  }
}

function report({ taken, counts, healthMs, cpuShare, waitingShare }: Soaked): void {
  const levels = compareLevels(taken, minutes);
  console.table(levels.map(toRow));
  const health = {
    p50: quantile(healthMs, 0.5),
    p99: quantile(healthMs, 0.99),
    longest: Math.max(...healthMs),
  };
  console.log(`/healthz ms: ${Object.entries(health).map(([name, ms]) => `${name} ${digits(ms, 1)}`)}`);
  const percent = (share: number) => `${digits(share * 100, 1)} %`;
  console.log(`the host used ${percent(cpuShare)} of a core, and waited for one ${percent(waitingShare)} of the time`);
  console.table(Object.fromEntries(counts.done));
  const errors = Object.fromEntries(counts.errors);
  console.log(counts.errors.size === 0 ? 'no errors' : errors);
  console.log(
    JSON.stringify({
      minutes,
      levels,
      health,
      cpuShare,
      waitingShare,
      done: Object.fromEntries(counts.done),
      errors,
    }),
  );
  if (levels.some(isGrown) || counts.errors.size > 0) process.exitCode = 1;
}

const toRow = (level: Level) => ({
  measure: level.measure,
  'second sixth': digits(level.early, 1),
  'last sixth': digits(level.late, 1),
  ratio: digits(level.ratio),
  bound: level.bound ?? '–',
  '': isGrown(level) ? 'grown' : '',
});

await main();
