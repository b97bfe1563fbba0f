import { AppError } from '../../../errors.ts';
import { notice } from '../blocks/notice.ts';
import type { SlackFaceDeps } from '../deps.ts';
import type { SlackContext, SlackReply } from '../listener.ts';
import { showList } from './show-list.ts';
import { readItem } from './state.ts';

type Deps = Pick<SlackFaceDeps, 'keptStates' | 'shelf'>;

/** Saves an object of a list, and shows the list as it is then. A full shelf is no failure but something to say.
 *  Errors: SLACK_STATE_OVER. */
export async function saveObject(deps: Deps, context: SlackContext, value: string): Promise<SlackReply> {
  const { state, token, item } = await readItem(deps, context, value);
  try {
    await deps.shelf.save(context.owner, { object: item.object, requestId: item.requestId });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'SHELF_FULL') throw error;
    const { t } = await context.words();
    return { kind: 'message', message: notice(t('slackLearn.shelfFull')) };
  }
  return { kind: 'replace', message: await showList(deps, context, { state, token }) };
}

/** Takes it away again. Errors: SLACK_STATE_OVER. */
export async function unsaveObject(deps: Deps, context: SlackContext, value: string): Promise<SlackReply> {
  const { state, token, item } = await readItem(deps, context, value);
  await deps.shelf.remove(context.owner, item.object.url);
  return { kind: 'replace', message: await showList(deps, context, { state, token }) };
}
