import { existsSync, mkdtempSync, rmdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createDataDirError } from '#adapters/files/data-dir';
import { examineStarterCatalog, useCatalogStore } from '#compose/imports';
import { type Config, readConfig } from '#config';
import { findLoopbackOrigin } from '#domain/web-address';
import { AppError } from '#errors';
import { countInWords, type JsonOption, print, printJson, toMinute } from '../print.ts';
import { checkStore, type StoreCheck } from './check-store.ts';
import { type Finding, fault, ok, toFaultFinding, warning } from './finding.ts';

const FAULTS_EXIT_CODE = 1;

/** `skilldock doctor`. It changes nothing, and the host may be running. */
export async function examineHost({ json = false }: JsonOption): Promise<void> {
  const findings: Finding[] = [];
  for await (const finding of runChecks()) {
    findings.push(finding);
    if (!json) printFinding(finding);
  }
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length;
  const faults = count('fault');
  const warnings = count('warning');
  if (json) printJson({ checks: findings, faults, warnings });
  else print(`${countInWords(faults, 'fault')}, ${countInWords(warnings, 'warning')}.`);
  if (faults > 0) process.exitCode = FAULTS_EXIT_CODE;
}

async function* runChecks(): AsyncIterable<Finding> {
  const settings = checkSettings();
  yield settings.finding;
  yield* checkCatalog();
  const { config } = settings;
  // Without settings, nothing else can be checked.
  if (config === null) return;
  yield checkDataFolder(config);
  yield checkFreeSpace(config);
  const stored = await checkStore(config);
  yield* stored.findings;
  yield* await checkCatalogStore(config);
  yield* checkFaces(config, stored);
  yield await checkClock(config, stored);
  yield* await checkAddresses(config);
}

function checkSettings(): { readonly finding: Finding; readonly config: Config | null } {
  try {
    return { finding: ok('settings', 'they can be used'), config: readConfig() };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const problems = error.problems.map(({ path, problem }) => `${path}: ${problem}`).join('; ');
    return {
      finding: fault('settings', problems, 'Correct them in the environment; docs/configuration.md explains each one.'),
      config: null,
    };
  }
}

const STATE_WIDTH = 'warning'.length;
const NAME_WIDTH = 'public address'.length;

function printFinding({ state, name, result, advice }: Finding): void {
  print(`${state.padEnd(STATE_WIDTH)}  ${name.padEnd(NAME_WIDTH)}  ${result}`);
  if (advice !== null) print(`${' '.repeat(STATE_WIDTH + NAME_WIDTH + 4)}${advice}`);
}

const GIGABYTE = 1e9;
/** A new index needs space beside the old one. */
const SCARCE_BYTES = GIGABYTE;
const TOO_LITTLE_BYTES = GIGABYTE / 10;
/** Bits of a file mode that give rights to other users. */
const OTHERS_MODE = 0o077;

function checkCatalog(): Finding[] {
  try {
    const { objects, providers, taxonomies, isIndexCurrent } = examineStarterCatalog();
    const summary = `${objects} learning objects of ${providers} providers come with the program`;
    const kinds = [...taxonomies].map(([name, concepts]) => `${name} ${concepts}`).join(', ');
    return [
      isIndexCurrent
        ? ok('catalogue', summary)
        : warning(
            'catalogue',
            `${summary}; the index of them is missing or of another version`,
            'Run npm run build; otherwise the first start builds it, which takes longer.',
          ),
      taxonomies.size > 0
        ? ok('taxonomies', `${kinds} concepts`)
        : fault('taxonomies', 'there are no concepts', 'Restore the data folder of the program.'),
    ];
  } catch (error) {
    return [toFaultFinding('catalogue', error)];
  }
}

function checkDataFolder({ dataDir }: Config): Finding {
  const path = resolve(dataDir);
  const nearest = findExistingFolder(path);
  try {
    // Rights say too little: root has them below /proc and on a read-only disk, too.
    rmdirSync(mkdtempSync(join(nearest, '.skilldock-doctor-')));
  } catch (error) {
    return toFaultFinding('data folder', createDataDirError(path, error));
  }
  if (nearest !== path) return ok('data folder', `${path} is not there yet; the first start makes it`);
  const isOpen = (statSync(path).mode & OTHERS_MODE) !== 0;
  return isOpen
    ? warning('data folder', `other users of this machine can look into ${path}`, `Run chmod 700 ${path}.`)
    : ok('data folder', path);
}

function checkFreeSpace({ dataDir }: Config): Finding {
  const path = findExistingFolder(resolve(dataDir));
  const { bavail, bsize } = statfsSync(path);
  const free = bavail * bsize;
  const summary = `${(free / GIGABYTE).toFixed(1)} GB in ${path}`;
  const advice = 'Make room, or set DATA_DIR to a folder of a larger disk.';
  if (free < TOO_LITTLE_BYTES) return fault('free space', summary, advice);
  return free < SCARCE_BYTES ? warning('free space', summary, advice) : ok('free space', summary);
}

const findExistingFolder = (path: string): string => (existsSync(path) ? path : findExistingFolder(dirname(path)));

/** Checks the OpenSearch of the catalogue; no findings for the embedded engine. */
async function checkCatalogStore(config: Config): Promise<readonly Finding[]> {
  if (config.catalog === undefined) return [];
  const name = 'objects';
  const { nodes } = config.catalog;
  try {
    return await useCatalogStore(config, async (store) => {
      const state = await store?.describe();
      if (state === undefined) return [];
      const summary = `OpenSearch ${state.version} at ${nodes.join(', ')}, ${state.health}, ${state.documents} documents`;
      const advice = 'See which shards are not assigned, and why: GET /_cluster/allocation/explain.';
      return [state.health === 'red' ? fault(name, summary, advice) : ok(name, summary)];
    });
  } catch (error) {
    return [toFaultFinding(name, error)];
  }
}

const TIMEOUT_MS = 5_000;
/** Learning platforms and Slack refuse messages that seem older than some minutes. */
const MAX_DRIFT_MS = 60_000;

function* checkFaces({ slack, hasDemo, publicUrl, oidc }: Config, { facts }: StoreCheck): Iterable<Finding> {
  const hasSlack = slack.app !== undefined || facts?.hasSlackApp === true;
  const parts = [
    'API on',
    `LTI on, ${facts?.registrations ?? 0} platforms`,
    hasSlack ? 'Slack on' : 'Slack off (no app is entered)',
    `admin page on${oidc === undefined ? '' : `, with ${oidc.name}`}`,
    `demo ${hasDemo ? 'on' : 'off'}`,
  ];
  const summary = parts.join('; ');
  if (hasDemo && publicUrl !== undefined)
    yield warning('faces', summary, 'Take DEMO=1 away: the demo is for trying things out, and everybody can use it.');
  else if (facts?.admins === 0)
    yield warning(
      'faces',
      `${summary}; nobody has set up the admin page`,
      'Run skilldock admin link, and open what it prints.',
    );
  else yield ok('faces', summary);
}

/** Finds out whether this clock was put back, or differs from that of the public address. */
async function checkClock({ publicUrl }: Config, { facts }: StoreCheck): Promise<Finding> {
  const now = new Date();
  const lastAudited = facts?.lastAuditedAt ?? now;
  const advice = 'Let the machine set its clock by NTP: LTI and Slack refuse messages of another time.';
  if (lastAudited.getTime() > now.getTime() + MAX_DRIFT_MS) {
    const problem = `it is ${toMinute(now)} UTC, and the store has a note of ${toMinute(lastAudited)} UTC`;
    return fault('clock', problem, advice);
  }
  const publicDate = publicUrl === undefined ? null : await readServerDate(publicUrl);
  if (publicDate !== null && Math.abs(publicDate.getTime() - now.getTime()) > MAX_DRIFT_MS)
    return fault('clock', `it is ${toMinute(now)} UTC here and ${toMinute(publicDate)} UTC at ${publicUrl}`, advice);
  return ok('clock', `${toMinute(now)} UTC`);
}

const createProbeOptions = () => ({ redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) }) as const;

/** Returns the date that the server at this address sends; null if it cannot be reached. */
async function readServerDate(url: string): Promise<Date | null> {
  try {
    const { headers } = await fetch(url, { method: 'HEAD', ...createProbeOptions() });
    const date = new Date(headers.get('date') ?? '');
    return Number.isNaN(date.getTime()) ? null : date;
  } catch {
    return null;
  }
}

async function checkAddresses(config: Config): Promise<Finding[]> {
  const { publicUrl, port, host, trustProxy } = config;
  // Port 0 is any free one.
  const server = port === 0 ? null : await identifyServer(findLoopbackOrigin(host, port));
  if (server === 'other')
    return [fault('port', `another program answers at port ${port}`, 'Stop it, or set PORT to another one.')];
  const isRunning = server === 'Skilldock';
  const address = await checkPublicAddress(publicUrl, { isRunning, trustProxy });
  return port === 0
    ? [address]
    : [ok('port', `the host ${isRunning ? 'runs' : 'does not run'} at port ${port}`), address];
}

async function checkPublicAddress(
  publicUrl: string | undefined,
  { isRunning, trustProxy }: { readonly isRunning: boolean; readonly trustProxy: number },
): Promise<Finding> {
  const name = 'public address';
  const warn = (text: string, advice: string) => warning(name, text, advice);
  if (publicUrl === undefined) {
    const problem = 'it is not set: links to the server work on this machine only';
    return warn(problem, 'Set PUBLIC_URL to the https address that people use.');
  }
  if (publicUrl.startsWith('http:')) {
    const advice = 'Put the server behind a proxy with a certificate: platforms and Slack need https.';
    return warn(`${publicUrl} is not https`, advice);
  }
  const server = await identifyServer(publicUrl);
  if (server === 'other')
    return fault(name, `something else answers at ${publicUrl}`, 'Let the proxy pass every path on to the host.');
  if (server === null) {
    if (!isRunning) return warn(`nothing answers at ${publicUrl}`, 'Start the host, and run this again.');
    const advice = 'Check name, certificate and proxy, and open it from elsewhere.';
    return warn(`${publicUrl} cannot be reached from here`, advice);
  }
  if (trustProxy > 0) return ok(name, `${publicUrl} leads to the host`);
  const problem = `${publicUrl} leads to the server through a proxy that is not trusted`;
  return warn(problem, 'Set TRUST_PROXY=1, or all people count as one for limits.');
}

/** Returns null if nothing answers at the address. */
async function identifyServer(origin: string): Promise<'Skilldock' | 'other' | null> {
  try {
    const response = await fetch(`${origin}/healthz`, createProbeOptions());
    return (await response.text()) === '{"status":"ok"}' ? 'Skilldock' : 'other';
  } catch {
    return null;
  }
}
