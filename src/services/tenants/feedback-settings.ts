import { MAX_RETENTION_DAYS } from '../../domain/feedback.ts';
import type { FeedbackSettings } from '../../domain/tenant.ts';
import { isEmail } from '../../domain/text.ts';
import { AppError, type Problem } from '../../errors.ts';

/** As they are kept. Errors: FORM_INVALID with every problem at once. */
export function checkedFeedbackSettings(given: FeedbackSettings): FeedbackSettings {
  const settings = { ...given, sharedEmail: given.sharedEmail?.trim() ?? null };
  const problems = findProblems(settings);
  if (problems.length === 0) return settings;
  throw new AppError('FORM_INVALID', 'Nothing was changed: correct what is marked, and send it again.', {
    problems,
  });
}

function findProblems({ sharedEmail, retentionDays }: FeedbackSettings): Problem[] {
  const problems: Problem[] = [];
  if (sharedEmail !== null && !isEmail(sharedEmail))
    problems.push({ path: 'sharedEmail', problem: 'must be an e-mail address' });
  if (retentionDays !== null && !isRetention(retentionDays))
    problems.push({
      path: 'retentionDays',
      problem: `must be a whole number from 1 to ${MAX_RETENTION_DAYS.toLocaleString('en')}`,
    });
  return problems;
}

function isRetention(days: number): boolean {
  return Number.isSafeInteger(days) && days >= 1 && days <= MAX_RETENTION_DAYS;
}
