import type { Command } from 'commander';
import type { JsonOption } from '../print.ts';

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('examine this host and say what to do')
    .option('--json', 'print JSON: { "checks", "faults", "warnings" }')
    .addHelpText('after', '\nExit code 1 if there are faults.')
    .action(async (options: JsonOption) => {
      const { examineHost } = await import('./examine-host.ts');
      await examineHost(options);
    });
}
