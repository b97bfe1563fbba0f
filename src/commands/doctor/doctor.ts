import type { Command } from 'commander';
import type { UpstreamOptions } from './examine-upstream.ts';

/** `skilldock doctor`: examines this host or, with options that name one, an upstream. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description(
      'examine this host and say what to do; with options, compare a service with the specification by real calls. Exit code 1 for faults and deviations, 3 where no service answers',
    )
    .option('--upstream [url]', 'examine a service; at UPSTREAM_URL where no address is given')
    .option('--key <key>', 'for x-api-key; UPSTREAM_API_KEY without it')
    .option('--marketplace <url>', 'address of its gateway: learning objects are then asked for there')
    .option('--marketplace-key <key>', 'for x-marketplace-key; MARKETPLACE_KEY without it')
    .option('--feedback', 'also give a feedback, which the service keeps')
    .option('--json', 'print { "checks", "faults", "warnings" }, of a service { "calls", "deviations", "notes" }')
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
