import { AppError } from '#errors';
import type { ObjectWords } from '#faces/object-view/facts';
import { actions, button, header, type Message, section, smallText } from '../blocks/block-kit.ts';
import { escapeMrkdwn } from '../blocks/text.ts';
import type { SlackFaceDeps } from '../deps.ts';
import type { SlackContext } from '../listener.ts';
import { readSavedState, readStateButton } from '../saved-state.ts';

/** The searches that the buttons of the help repeat. */
interface RecentState {
  readonly kind: 'recent';
  readonly searches: readonly string[];
}

type HelpDeps = Pick<SlackFaceDeps, 'people' | 'savedStates' | 'onProblem'>;

const MAX_RECENT = 5;

interface HelpBeginning {
  /** Plain text, not escaped. */
  readonly notes: readonly string[];
  /** Token of what the search form begins with; null if it begins as usual. */
  readonly formToken: string | null;
}

/** How to search, with the person's recent searches if they can be read.
 *  @param beginning what of a search was understood already */
export async function showHelp(
  deps: HelpDeps,
  context: SlackContext,
  beginning: HelpBeginning = { notes: [], formToken: null },
): Promise<Message> {
  const [recent, words] = await Promise.all([listRecent(deps, context), context.words()]);
  const state: RecentState = { kind: 'recent', searches: recent };
  const token = recent.length === 0 ? '' : await deps.savedStates.keep(context.owner, state);
  return drawHelp({ ...beginning, recent, token }, words);
}

async function listRecent({ people, onProblem }: HelpDeps, { owner }: SlackContext): Promise<readonly string[]> {
  try {
    return (await people.listSearches(owner)).slice(0, MAX_RECENT).map(({ text }) => text);
  } catch (error) {
    onProblem(error);
    return [];
  }
}

/** The search that a button of the help names. Errors: SLACK_STATE_OVER, PARAMETERS_INVALID. */
export async function readRecent(deps: HelpDeps, context: SlackContext, value: string): Promise<string> {
  const { token, number } = readStateButton(value);
  const { searches } = await readSavedState<RecentState>(deps, context, { token, kind: 'recent' });
  const text = searches[number];
  if (text !== undefined) return text;
  throw new AppError('PARAMETERS_INVALID', 'This button names no search of its list. Search again.');
}

interface HelpParts extends HelpBeginning {
  /** Newest first. */
  readonly recent: readonly string[];
  /** Of the `RecentState`. */
  readonly token: string;
}

function drawHelp({ recent, token, formToken, notes }: HelpParts, { t }: ObjectWords): Message {
  const title = t('slackLearn.help.title');
  const searches = recent.map((text, number) =>
    button({
      actionId: `learn_recent_${number}`,
      text,
      value: `${token}:${number}`,
      label: t('slackLearn.help.again', { words: text }),
    }),
  );
  const examples = ['words', 'filters', 'length', 'phrase'].map((name) => `• ${t(`slackLearn.help.${name}`)}`);
  const form = { actionId: 'search_open', text: t('slackLearn.help.search'), style: 'primary' } as const;
  return {
    text: escapeMrkdwn(notes[0] ?? title),
    blocks: [
      header(title),
      ...(notes.length > 0 ? [smallText(...notes.map(escapeMrkdwn))] : []),
      section([t('slackLearn.help.examples'), ...examples].join('\n')),
      section(t('slackLearn.help.keys')),
      ...(searches.length > 0 ? [section(t('slackLearn.help.recent')), actions(searches)] : []),
      actions([button({ ...form, ...(formToken !== null && { value: formToken }) })]),
      smallText(t('slackLearn.help.private')),
    ],
  };
}
