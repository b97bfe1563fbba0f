import { type Command, InvalidArgumentError } from 'commander';
import { isEmail } from '#domain/text';
import { type JsonOption, print, printJson } from './print.ts';
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

async function erase(context: CommandContext, email: string, { tenant, json }: Options): Promise<void> {
  const { services, actor } = context;
  const erased = await services.feedbackRecords.eraseFeedback(actor, await findTenantScope(context, tenant), email);
  if (json) printJson({ erased });
  else print(`Erased: ${erased}.`);
}

async function retry(context: CommandContext, { tenant, json }: Options): Promise<void> {
  const { services, actor } = context;
  const retried = await services.feedbackRecords.retryAllParked(actor, await findTenantScope(context, tenant));
  if (json) printJson({ retried });
  else print(`Waiting again: ${retried}. Running hosts try to deliver it within seconds.`);
}

function emailAddress(text: string): string {
  const email = text.trim();
  if (isEmail(email)) return email;
  throw new InvalidArgumentError('Give an e-mail address, such as ada@example.org.');
}
