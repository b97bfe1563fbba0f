import { AppError } from '../../../errors.ts';
import type { SlackCalls, ViewTarget } from '../calls.ts';
import type { CallSlack } from './api-calls.ts';
import { messageBody, respond } from './respond.ts';

/** What a view was that somebody closed or changed meanwhile. */
const STALE: ReadonlySet<unknown> = new Set(['hash_conflict', 'not_found', 'view_not_found']);

/** The calls that listeners make. */
export function createSlackCalls(call: CallSlack): SlackCalls {
  const show = async (method: string, triggerId: string, view: object): Promise<string> => {
    const answer = await call(method, { trigger_id: triggerId, view });
    return (answer.view as { readonly id?: string } | undefined)?.id ?? '';
  };
  return {
    openView: (triggerId, view) => show('views.open', triggerId, view),
    pushView: (triggerId, view) => show('views.push', triggerId, view),
    async updateView(target, view) {
      await call('views.update', { ...toArguments(target), view }).catch(ignoreStale);
    },
    async publishHome(userId, view) {
      await call('views.publish', { user_id: userId, view });
    },
    async postMessage({ channelId, threadTs }, message) {
      const target = { channel: channelId, ...(threadTs !== undefined && { thread_ts: threadTs }) };
      await call('chat.postMessage', { ...target, ...messageBody(message) });
    },
    respond,
  };
}

function toArguments(target: ViewTarget): object {
  return { view_id: target.id, ...(target.hash !== undefined && { hash: target.hash }) };
}

function ignoreStale(thrown: unknown): void {
  if (!(thrown instanceof AppError && STALE.has(thrown.data.said))) throw thrown;
}
