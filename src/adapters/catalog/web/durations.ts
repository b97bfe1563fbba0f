const DURATION =
  /^\s*P(?:([\d.,]+)Y)?(?:([\d.,]+)M)?(?:([\d.,]+)W)?(?:([\d.,]+)D)?(?:T(?:([\d.,]+)H)?(?:([\d.,]+)M)?(?:([\d.,]+)S)?)?\s*$/i;
/** Minutes of work in a year, a month, a week, a day (of courses: days of study), an hour, a minute, a second. */
const UNITS = [2_000 * 60, 160 * 60, 40 * 60, 8 * 60, 60, 1, 1 / 60];

/** Minutes of an ISO 8601 duration; undefined where the text is none, or none that can be meant. */
export function durationMinutes(text: string): number | undefined {
  const found = DURATION.exec(text.slice(0, 60));
  if (found === null) return undefined;
  const minutes = UNITS.reduce((sum, unit, number) => {
    const amount = Number((found[number + 1] ?? '0').replace(',', '.'));
    return sum + amount * unit;
  }, 0);
  return minutes > 0 ? minutes : undefined;
}
