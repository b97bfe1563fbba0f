import type { Period } from '../../../ports/store/store.ts';

const DAY_MS = 86_400_000;

/** Read the days `from` and `until` in UTC, both of them counted; what is no day counts as not chosen. The texts are what
 *  the fields show. */
export function readPeriod(query: URLSearchParams): {
  readonly period: Period;
  readonly from: string;
  readonly until: string;
} {
  const [from, until] = [readDay(query.get('from')), readDay(query.get('until'))];
  return {
    period: { from, until: until && new Date(until.getTime() + DAY_MS) },
    from: from?.toISOString().slice(0, 10) ?? '',
    until: until?.toISOString().slice(0, 10) ?? '',
  };
}

/** The beginning of a day. */
function readDay(text: string | null): Date | null {
  if (text === null || !/^\d{4}-\d\d-\d\d$/.test(text)) return null;
  const day = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text ? null : day;
}
