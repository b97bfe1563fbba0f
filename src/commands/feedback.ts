import type { Command } from 'commander';
import { type JsonOption, printResult } from './print.ts';
import { type CommandContext, getTenantScope, TENANT_OPTION, withServices } from './with-services.ts';

type Options = JsonOption & { readonly tenant?: string };

/** `skilldock feedback retry`. */
export function addFeedbackCommand(program: Command): void {
  const feedback = program.command('feedback').description('try parked feedback again');
  feedback
    .command('retry')
    .description(
      'let running hosts try again what is parked, after too many failures or because the upstream was changed',
    )
    .option(TENANT_OPTION, 'only of this tenant')
    .option('--json', 'print { "retried" }')
    .action((options: Options) => withServices((context) => runFeedbackRetry(context, options), { mustExist: true }));
}

async function runFeedbackRetry(context: CommandContext, options: Options): Promise<void> {
  const { services, actor } = context;
  const retried = await services.feedbackRecords.retryAllParked(actor, await getTenantScope(context, options.tenant));
  printResult(options, { retried }, `Waiting again: ${retried}. Running hosts try to deliver it within seconds.`);
}
