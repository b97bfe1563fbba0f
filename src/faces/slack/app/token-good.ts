import { AppError } from '../../../errors.ts';
import type { CallSlack } from './api-calls.ts';

/** What Slack says of the token of an app that was removed. `invalid_auth` is also said to a host whose address is not allowed,
 *  and must erase nothing. */
const REMOVED: ReadonlySet<unknown> = new Set(['account_inactive', 'token_revoked']);

/** Whether Slack still takes the token that these calls are made with; false where it says that the app was removed.
 *  Errors: those of the call, which leave it open. */
export async function isTokenGood(call: CallSlack): Promise<boolean> {
  try {
    await call('auth.test', {});
    return true;
  } catch (error) {
    if (error instanceof AppError && REMOVED.has(error.data.said)) return false;
    throw error;
  }
}
