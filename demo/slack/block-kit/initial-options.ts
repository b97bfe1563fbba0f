import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { Option } from './compositions.ts';

interface Choices {
  readonly options?: readonly Option[] | undefined;
  readonly option_groups?: readonly { readonly options: readonly Option[] }[] | undefined;
  readonly initial_option?: Option | undefined;
  readonly initial_options?: readonly Option[] | undefined;
}

/** What is chosen at first must equal one of the options in every field, or Slack refuses the whole
 *  message. */
export function hasInitialOptions(choices: Choices, context: z.RefinementCtx): void {
  const all = [...(choices.options ?? []), ...(choices.option_groups ?? []).flatMap((group) => group.options)];
  const isOneOf = (chosen: Option) => all.some((each) => isDeepStrictEqual(each, chosen));
  const refuse = (path: PropertyKey[]) =>
    context.addIssue({ code: 'custom', path, message: 'equals none of the options' });
  if (choices.initial_option && !isOneOf(choices.initial_option)) refuse(['initial_option']);
  for (const [index, chosen] of (choices.initial_options ?? []).entries()) {
    if (!isOneOf(chosen)) refuse(['initial_options', index]);
  }
}
