const LAST_YEAR = 9999;

/** The last moment of a day in UTC, written `YYYY-MM-DD`; null where there is no such day. */
export function endOfDay(day: string): Date | null {
  const end = new Date(`${day}T23:59:59.999Z`);
  // Only a real day of four-figure years comes back as it was written: the 30th of February would be the 2nd of March.
  const isDay = !Number.isNaN(end.getTime()) && end.toISOString().startsWith(`${day}T`);
  return isDay && end.getUTCFullYear() <= LAST_YEAR ? end : null;
}
