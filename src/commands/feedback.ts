import { type Command, InvalidArgumentError } from 'commander';
import { isEmail } from '#domain/text';
import { type JsonOption, printResult } from './print.ts';
import { type CommandContext, findTenantScope, TENANT_OPTION, withServices } from './with-services.ts';

interface Options extends JsonOption {
  readonly tenant?: string;
}

/** `skilldock feedback erase|retry`. */
export function addFeedbackCommand(program: Command): void {
  const feedback = program.command('feedback').description('erase feedback of a person, and try what is parked again');
  feedback
    .command('erase')
    .description('remove everything that was given under an e-mail address')
    .argument('<email>', 'the address, in any case', emailAddress)
    .option(TENANT_OPTION, 'only of this tenant')
    .option('--json', 'print { "erased" }')
    .action((email: string, options: Options) =>
      withServices((context) => erase(context, email, options), { mustExist: true }),
    );
  feedback
    .command('retry')
    .description(
      'let running hosts try again what is parked, after too many failures or because the upstream was changed',
    )
    .option(TENANT_OPTION, 'only of this tenant')
    .option('--json', 'print { "retried" }')
    .action((options: Options) => withServices((context) => retry(context, options), { mustExist: true }));
}

async function erase(context: CommandContext, email: string, options: Options): Promise<void> {
  const { services, actor } = context;
  const scope = await findTenantScope(context, options.tenant);
  const erased = await services.feedbackRecords.eraseFeedback(actor, scope, email);
  printResult(options, { erased }, `Erased: ${erased}.`);
}

async function retry(context: CommandContext, options: Options): Promise<void> {
  const { services, actor } = context;
  const retried = await services.feedbackRecords.retryAllParked(actor, await findTenantScope(context, options.tenant));
  printResult(options, { retried }, `Waiting again: ${retried}. Running hosts try to deliver it within seconds.`);
}

function emailAddress(text: string): string {
  const email = text.trim();
  if (isEmail(email)) return email;
  throw new InvalidArgumentError('Give an e-mail address, such as ada@example.org.');
}
