import { existsSync, mkdtempSync, rmdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createDataDirError } from '#adapters/files/data-dir';
import { examineImportedCatalog, useCatalogStore } from '#compose/imports';
import { type Config, readConfig } from '#config';
import { findLoopbackOrigin } from '#domain/web-address';
import { AppError, type Problem } from '#errors';
import { countInWords, type JsonOption, print, printJson, toMinute } from '../print.ts';
import { checkStoredRecords, type Stored } from './check-store.ts';
import { type Finding, fault, ok, toFaultFinding, warning } from './finding.ts';

/** Exit code. */
const FAULTS_FOUND = 1;

/** `skilldock doctor`. It changes nothing, and the host may be running. */
export async function examineHost({ json = false }: JsonOption): Promise<void> {
  const findings: Finding[] = [];
  for await (const finding of runHostChecks()) {
    findings.push(finding);
    if (!json) printHostFinding(finding);
  }
  const count = (state: Finding['state']) => findings.filter((each) => each.state === state).length;
  const faults = count('fault');
  const warnings = count('warning');
  if (json) printJson({ checks: findings, faults, warnings });
  else print(`${countInWords(faults, 'fault')}, ${countInWords(warnings, 'warning')}.`);
  if (faults > 0) process.exitCode = FAULTS_FOUND;
}

async function* runHostChecks(): AsyncIterable<Finding> {
  const settings = checkHostSettings();
  yield settings.finding;
  yield* checkHostCatalog();
  const { config } = settings;
  // Without settings, nothing else can be checked.
  if (config === null) return;
  yield checkHostDataFolder(config);
  yield checkHostSpace(config);
  const stored = await checkStoredRecords(config);
  yield* stored.findings;
  yield* await checkHostCatalogStore(config);
  yield* checkHostFaces(config, stored);
  yield await checkHostClock(config, stored);
  yield* await checkHostPublicUrl(config);
}

function checkHostSettings(): { readonly finding: Finding; readonly config: Config | null } {
  try {
    return { finding: ok('settings', 'they can be used'), config: readConfig() };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const wrong = error.problems.map(({ path, problem }: Problem) => `${path}: ${problem}`).join('; ');
    return {
      finding: fault('settings', wrong, 'Correct them in the environment; docs/configuration.md explains each one.'),
      config: null,
    };
  }
}

const STATE_WIDTH = 'warning'.length;
const NAME_WIDTH = 'public address'.length;

function printHostFinding({ state, name, result, advice }: Finding): void {
  print(`${state.padEnd(STATE_WIDTH)}  ${name.padEnd(NAME_WIDTH)}  ${result}`);
  if (advice !== null) print(`${' '.repeat(STATE_WIDTH + NAME_WIDTH + 4)}${advice}`);
}

const GIGABYTE = 1e9;
/** A new index needs space beside the old one. */
const SCARCE_BYTES = GIGABYTE;
const TOO_LITTLE_BYTES = GIGABYTE / 10;
const FOR_OTHERS = 0o077;

function checkHostCatalog(): Finding[] {
  try {
    const { objects, providers, taxonomies, isIndexCurrent } = examineImportedCatalog();
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

function checkHostDataFolder({ dataDir }: Config): Finding {
  const path = resolve(dataDir);
  const nearest = findExistingFolder(path);
  try {
    // Rights say too little: root has them below /proc and on a read-only disk, too.
    rmdirSync(mkdtempSync(join(nearest, '.skilldock-doctor-')));
  } catch (error) {
    return toFaultFinding('data folder', createDataDirError(path, error));
  }
  if (nearest !== path) return ok('data folder', `${path} is not there yet; the first start makes it`);
  const isOpen = (statSync(path).mode & FOR_OTHERS) !== 0;
  return isOpen
    ? warning('data folder', `other users of this machine can look into ${path}`, `Run chmod 700 ${path}.`)
    : ok('data folder', path);
}

function checkHostSpace({ dataDir }: Config): Finding {
  const path = findExistingFolder(resolve(dataDir));
  const { bavail, bsize } = statfsSync(path);
  const free = bavail * bsize;
  const summary = `${(free / GIGABYTE).toFixed(1)} GB in ${path}`;
  const advice = 'Make room, or set DATA_DIR to a folder of a larger disk.';
  if (free < TOO_LITTLE_BYTES) return fault('free space', summary, advice);
  return free < SCARCE_BYTES ? warning('free space', summary, advice) : ok('free space', summary);
}

const findExistingFolder = (path: string): string => (existsSync(path) ? path : findExistingFolder(dirname(path)));

const NAME = 'objects';

/** Checks the store of the catalogue; no findings for the embedded engine. */
async function checkHostCatalogStore(config: Config): Promise<readonly Finding[]> {
  if (config.catalog === undefined) return [];
  const { nodes } = config.catalog;
  try {
    return await useCatalogStore(config, async (store) => {
      const state = await store?.describe();
      if (state === undefined) return [];
      const summary = `OpenSearch ${state.version} at ${nodes.join(', ')}, ${state.health}, ${state.documents} documents`;
      const advice = 'See which shards are not assigned, and why: GET /_cluster/allocation/explain.';
      return [state.health === 'red' ? fault(NAME, summary, advice) : ok(NAME, summary)];
    });
  } catch (error) {
    return [toFaultFinding(NAME, error)];
  }
}

const TIMEOUT_MS = 5_000;
/** Learning platforms and Slack refuse messages that seem older than some minutes. */
const MAX_DRIFT_MS = 60_000;

const NO_ADMIN = 'nobody has set up the admin page';

function* checkHostFaces({ slack, hasDemo, publicUrl, oidc }: Config, { facts }: Stored): Iterable<Finding> {
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
    yield warning('faces', `${summary}; ${NO_ADMIN}`, 'Run skilldock admin link, and open what it prints.');
  else yield ok('faces', summary);
}

/** Whether the clock of this machine was put back, or differs from that of the public address. */
async function checkHostClock({ publicUrl }: Config, { facts }: Stored): Promise<Finding> {
  const now = new Date();
  const lastNoted = facts?.lastNotedAt ?? now;
  const advice = 'Let the machine set its clock by NTP: LTI and Slack refuse messages of another time.';
  if (lastNoted.getTime() > now.getTime() + MAX_DRIFT_MS)
    return fault('clock', `it is ${toMinute(now)} UTC, and the store has a note of ${toMinute(lastNoted)} UTC`, advice);
  const elsewhere = publicUrl === undefined ? null : await readHostDate(publicUrl);
  if (elsewhere !== null && Math.abs(elsewhere.getTime() - now.getTime()) > MAX_DRIFT_MS)
    return fault('clock', `it is ${toMinute(now)} UTC here and ${toMinute(elsewhere)} UTC at ${publicUrl}`, advice);
  return ok('clock', `${toMinute(now)} UTC`);
}

const createProbeOptions = () => ({ redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) }) as const;

async function readHostDate(url: string): Promise<Date | null> {
  try {
    const { headers } = await fetch(url, { method: 'HEAD', ...createProbeOptions() });
    const date = new Date(headers.get('date') ?? '');
    return Number.isNaN(date.getTime()) ? null : date;
  } catch {
    return null;
  }
}

async function checkHostPublicUrl(config: Config): Promise<Finding[]> {
  const { publicUrl, port, host, trustProxy } = config;
  const answer = port === 0 ? 'nothing' : await findWhatAnswers(findLoopbackOrigin(host, port));
  if (answer === 'another')
    return [fault('port', `another program answers at port ${port}`, 'Stop it, or set PORT to another one.')];
  const isRunning = answer === 'Skilldock';
  const address = await checkHostAddress(publicUrl, { isRunning, trustProxy });
  // Port 0 is any free one.
  return port === 0
    ? [address]
    : [ok('port', `the host ${isRunning ? 'runs' : 'does not run'} at port ${port}`), address];
}

async function checkHostAddress(
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
  const answering = await findWhatAnswers(publicUrl);
  if (answering === 'another')
    return fault(name, `something else answers at ${publicUrl}`, 'Let the proxy pass every path on to the host.');
  if (answering === 'nothing') {
    if (!isRunning) return warn(`nothing answers at ${publicUrl}`, 'Start the host, and run this again.');
    const advice = 'Check name, certificate and proxy, and open it from elsewhere.';
    return warn(`${publicUrl} cannot be reached from here`, advice);
  }
  if (trustProxy > 0) return ok(name, `${publicUrl} leads to the host`);
  const problem = `${publicUrl} leads to the server through a proxy that is not trusted`;
  return warn(problem, 'Set TRUST_PROXY=1, or all people count as one for limits.');
}

async function findWhatAnswers(origin: string): Promise<'Skilldock' | 'another' | 'nothing'> {
  try {
    const response = await fetch(`${origin}/healthz`, createProbeOptions());
    return (await response.text()) === '{"status":"ok"}' ? 'Skilldock' : 'another';
  } catch {
    return 'nothing';
  }
}
