import type { Command } from 'commander';
import type { UpstreamOptions } from './examine-upstream.ts';

/** `skilldock doctor` examines this host or, with options, an upstream. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description(
      'examine this host and say what to do; with options, compare a service with the specification by real calls',
    )
    .option('--upstream [url]', 'examine a service; at UPSTREAM_URL where no address is given')
    .option('--key <key>', 'key that is sent as x-api-key (default: UPSTREAM_API_KEY)')
    .option('--marketplace <url>', 'address of its gateway: learning objects are then asked for there')
    .option('--marketplace-key <key>', 'key that is sent as x-marketplace-key (default: MARKETPLACE_KEY)')
    .option('--feedback', 'also send a feedback on a result; the service stores it')
    .option(
      '--json',
      'print JSON: { "checks", "faults", "warnings" }, or { "calls", "deviations", "notes" } for a service',
    )
    .addHelpText('after', '\nExit code 1 if there are faults or deviations, 3 if no service answers.')
    .action(examine);
}

type Options = Omit<UpstreamOptions, 'upstream'> & { readonly upstream?: string | true };

async function examine({ json, ...options }: Options): Promise<void> {
  const output = json === undefined ? {} : { json };
  if (Object.keys(options).length === 0) {
    const { examineHost } = await import('./examine-host.ts');
    return examineHost(output);
  }
  const { examineUpstream } = await import('./examine-upstream.ts');
  const { upstream, ...others } = options;
  return examineUpstream({ ...others, ...(typeof upstream === 'string' && { upstream }), ...output });
}
