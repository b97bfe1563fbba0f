import { type ImportWays, openImportWays } from '#compose/imports';
import { printProblem } from '../print.ts';
import type { CommandContext } from '../with-services.ts';
import type { ProgressView } from './progress.ts';

const steps = {
  reading: 'Reading what is imported …',
  indexing: 'Building the index …',
  waiting: 'Waiting for a host that builds the index …',
  filling: 'Filling the catalogue …',
  ready: 'The index is ready; hosts take it over within seconds.',
} as const;

export function openWays(context: CommandContext, version: string): ImportWays {
  const { config, dataDir, services, shared } = context;
  const index = { dataDir: dataDir.path, imported: services.importedCatalog, ...(shared && { shared }) };
  return openImportWays({ ...index, config, version, onProblem: printProblem });
}

/** Hosts would build it themselves; so nothing is lost where this is stopped. */
export async function buildIndex(ways: ImportWays, view: ProgressView, signal: AbortSignal): Promise<void> {
  let last: keyof typeof steps | null = null;
  try {
    await ways.prepareIndex({
      signal,
      onStep(step) {
        if (step !== last) view.say(steps[step]);
        last = step;
      },
    });
  } catch (error) {
    if (!signal.aborted) throw error;
    view.say('The import counts. The index was not finished: each host builds it itself.');
  }
}
