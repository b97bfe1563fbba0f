import { type Config, readConfig } from '#config';
import { AppError, type Problem } from '#errors';
import { countInWords, type JsonOption, print, printJson } from '../print.ts';
import { checkCatalog, checkCatalogStore, checkFolder, checkSpace } from './check-files.ts';
import { checkClock, checkFaces, checkPublicUrl } from './check-reach.ts';
import { checkStored } from './check-store.ts';
import { type Finding, fault, ok } from './finding.ts';

/** Exit code. */
const FAULTS_FOUND = 1;

/** `skilldock doctor` without options. It changes nothing, and the host may be running. */
export async function examineHost({ json = false }: JsonOption): Promise<void> {
  const findings: Finding[] = [];
  for await (const finding of runChecks()) {
    findings.push(finding);
    if (!json) printFinding(finding);
  }
  const count = (state: Finding['state']) => findings.filter((each) => each.state === state).length;
  const faults = count('fault');
  const warnings = count('warning');
  if (json) printJson({ checks: findings, faults, warnings });
  else print(`${countInWords(faults, 'fault')}, ${countInWords(warnings, 'warning')}.`);
  if (faults > 0) process.exitCode = FAULTS_FOUND;
}

async function* runChecks(): AsyncIterable<Finding> {
  const settings = checkSettings();
  yield settings.finding;
  yield* checkCatalog();
  const { config } = settings;
  // Without settings, nothing else can be checked.
  if (config === null) return;
  yield checkFolder(config);
  yield checkSpace(config);
  const stored = await checkStored(config);
  yield* stored.findings;
  yield* await checkCatalogStore(config);
  yield* checkFaces(config, stored);
  yield await checkClock(config, stored);
  yield* await checkPublicUrl(config);
}

function checkSettings(): { readonly finding: Finding; readonly config: Config | null } {
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

function printFinding({ state, name, found: result, advice }: Finding): void {
  print(`${state.padEnd(STATE_WIDTH)}  ${name.padEnd(NAME_WIDTH)}  ${result}`);
  if (advice !== null) print(`${' '.repeat(STATE_WIDTH + NAME_WIDTH + 4)}${advice}`);
}
