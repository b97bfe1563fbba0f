import type { FeedbackRecord } from '../../../ports/store/store.ts';
import type { Translate } from '../../words/i18n.ts';

const MINUTE_MS = 60_000;
const units = [
  ['minute', MINUTE_MS, 60],
  ['hour', 60 * MINUTE_MS, 48],
  ['day', 24 * 60 * MINUTE_MS, Number.POSITIVE_INFINITY],
] as const;

/** When what waits is tried next, "in 12 minutes"; null for what does not wait. */
export function describeNextAttempt(
  { state, dueAt }: Pick<FeedbackRecord, 'state' | 'dueAt'>,
  { now, locale, t }: { readonly now: Date; readonly locale: string; readonly t: Translate },
): string | null {
  if (state !== 'waiting') return null;
  const leftMs = dueAt.getTime() - now.getTime();
  if (leftMs < MINUTE_MS) return t('feedback.nextAttemptSoon');
  const [unit, ms] = units.find(([, each, most]) => leftMs < each * most)!;
  const when = new Intl.RelativeTimeFormat(locale).format(Math.ceil(leftMs / ms), unit);
  return t('feedback.nextAttempt', { when });
}
