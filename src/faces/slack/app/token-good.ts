import { AppError } from '../../../errors.ts';
import type { CallSlack } from './api-calls.ts';

/** Whether Slack still takes the token that these calls are made with. Errors: SLACK_THROTTLED, SLACK_FAILED. */
export async function isTokenGood(call: CallSlack): Promise<boolean> {
  try {
    await call('auth.test', {});
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'SLACK_NOT_INSTALLED') return false;
    throw error;
  }
}
