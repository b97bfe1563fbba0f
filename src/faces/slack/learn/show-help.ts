import { AppError } from '../../../errors.ts';
import type { Message } from '../blocks/block-kit.ts';
import type { SlackFaceDeps } from '../deps.ts';
import { readKept, readValue } from '../kept-state.ts';
import type { SlackContext } from '../listener.ts';
import { helpMessage } from './help-message.ts';

interface RecentState {
  readonly kind: 'recent';
  readonly searches: readonly string[];
}

type Deps = Pick<SlackFaceDeps, 'people' | 'keptStates' | 'onProblem'>;

const MAX_RECENT = 5;

export interface HelpBeginning {
  /** Plain text, not escaped. */
  readonly notes: readonly string[];
  readonly formToken: string;
}

/** Help, with what the person searched before. Help is there without that, too.
 *  @param beginning what of a search was understood already */
export async function showHelp(
  deps: Deps,
  context: SlackContext,
  beginning: HelpBeginning | null = null,
): Promise<Message> {
  const [recent, words] = await Promise.all([listRecent(deps, context), context.words()]);
  const state: RecentState = { kind: 'recent', searches: recent };
  const token = recent.length === 0 ? '' : await deps.keptStates.keep(context.owner, state);
  const { notes, formToken } = beginning ?? { notes: [], formToken: null };
  return helpMessage({ recent, token, formToken, notes }, words);
}

async function listRecent({ people, onProblem }: Deps, { owner }: SlackContext): Promise<readonly string[]> {
  try {
    return (await people.listSearches(owner)).slice(0, MAX_RECENT).map(({ text }) => text);
  } catch (error) {
    onProblem(error);
    return [];
  }
}

/** What a button of the help names. Errors: SLACK_STATE_OVER, PARAMETERS_INVALID. */
export async function readRecent(deps: Deps, context: SlackContext, value: string): Promise<string> {
  const { token, number } = readValue(value);
  const { searches } = await readKept<RecentState>(deps, context, { token, kind: 'recent' });
  const text = searches[number];
  if (text !== undefined) return text;
  throw new AppError('PARAMETERS_INVALID', 'This button names no search of its list. Search again.');
}
