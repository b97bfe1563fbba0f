import type { Command } from 'commander';
import { ASSISTANT_PATH } from '#domain/assistants';
import type { Host } from '#host';

/** `skilldock serve` runs the host until it is stopped. */
export function addServeCommand(program: Command, version: string): void {
  program
    .command('serve')
    .description('run the host; its settings come from the environment (docs/configuration.md)')
    .option(
      '--allow-lost-secrets',
      'start although the store is lost, or the secret key that it is sealed under: what cannot be read any more is given up',
    )
    .action(async (options: { readonly allowLostSecrets?: true }) => {
      // Loading the host takes half a second, which other commands need not wait for.
      const [{ readConfig }, { startHost }] = await Promise.all([import('#config'), import('#host')]);
      // Before the start: the first process of a container would otherwise ignore the signal.
      const stop = new AbortController();
      const stopped = waitForStopSignal().then(() => stop.abort());
      const host = await startHost({
        ...{ config: readConfig(), version, signal: stop.signal },
        allowLostSecrets: options.allowLostSecrets ?? false,
        warmsUp: true,
      });
      if (!stop.signal.aborted) process.stdout.write(welcome(host));
      await stopped;
      await host.close();
    });
}

function welcome({ url, faces, demoKey, setupPath, dataDir, sizes }: Host): string {
  const { objects, providers, concepts } = sizes;
  const width = Math.max(...faces.map(({ name }) => name.length));
  return [
    '',
    `  Skilldock is ready at ${url}`,
    `  ${objects} learning objects of ${providers} providers, ${concepts} concepts; data in ${dataDir}`,
    '',
    ...faces.map(({ name, isOn, note }) => `  ${name.padEnd(width)}  ${isOn ? 'on ' : 'off'}  ${note}`),
    '',
    `  Address for assistants (Model Context Protocol): ${url}${ASSISTANT_PATH}`,
    `  Demo key (Competency API): ${demoKey}`,
    '  Personal key: npx skilldock keys create --name NAME',
    ...(setupPath === null ? [] : [`  Set-up link: ${url}${setupPath} (once, within 24 hours)`]),
    '',
    '',
  ].join('\n');
}

async function waitForStopSignal(): Promise<void> {
  await new Promise<void>((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
}
