const SECOND_MS = 1000;

/** The second of an instant, or the one after `before` where that is later: platforms compare the times of scores by whole
 *  seconds, and refuse what is not later. */
export function laterSecond(instant: Date, before?: Date): Date {
  const second = Math.floor(instant.getTime() / SECOND_MS);
  const least = before === undefined ? second : Math.floor(before.getTime() / SECOND_MS) + 1;
  return new Date(Math.max(second, least) * SECOND_MS);
}
