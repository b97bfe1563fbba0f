import { once } from 'node:events';
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
    .option('--verbose', 'print every face, the catalogue, the demo key and the data folder when the host is ready')
    .action(async (options: { readonly allowLostSecrets?: true; readonly verbose?: true }) => {
      // Loading the host takes half a second, which other commands need not wait for.
      const [{ readConfig }, { startHost }] = await Promise.all([import('#config'), import('#host')]);
      // Before the start: the first process of a container would otherwise ignore the signal.
      const stop = new AbortController();
      const stopped = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]).then(() => stop.abort());
      const host = await startHost({
        config: readConfig(),
        version,
        signal: stop.signal,
        allowLostSecrets: options.allowLostSecrets ?? false,
        warmsUp: true,
        onIndexing: () => process.stderr.write('  Indexing the catalogue; this takes a minute at most …\n'),
      });
      if (!stop.signal.aborted) process.stdout.write(describeStart(host, options.verbose ?? false));
      await stopped;
      await host.close();
    });
}

/** Returns five lines that a person can act on, and all else with `--verbose`. */
function describeStart(host: Host, isVerbose: boolean): string {
  const { url, faces, setupPath } = host;
  const demo = faces.find(({ id }) => id === 'demoCourse');
  const lines = [
    `Skilldock is ready at ${url}`,
    demo === undefined ? `Programs: ${url}/docs` : `Try it in a demo course: ${demo.note}`,
    setupPath === null ? `Admin page: ${url}/admin` : `Set-up link: ${url}${setupPath} (once, within 24 hours)`,
    'Stop: Ctrl+C',
    `Help: ${url}/docs/guides, npx skilldock --help`,
    ...(isVerbose ? describeHost(host) : []),
  ];
  return ['', ...lines.map((line) => (line === '' ? '' : `  ${line}`)), '', ''].join('\n');
}

function describeHost({ url, faces, demoKey, dataDir, sizes }: Host): string[] {
  const { objects, providers, concepts } = sizes;
  const width = Math.max(...faces.map(({ name }) => name.length));
  return [
    '',
    `${objects} learning objects of ${providers} providers, ${concepts} concepts; data in ${dataDir}`,
    '',
    ...faces.map(({ name, isOn, note }) => `${name.padEnd(width)}  ${isOn ? 'on ' : 'off'}  ${note}`),
    '',
    `Address for assistants (Model Context Protocol): ${url}${ASSISTANT_PATH}`,
    `Demo key (Competency API): ${demoKey}`,
    'Personal key: npx skilldock keys create --name NAME',
  ];
}
