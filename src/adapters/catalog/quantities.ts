const DURATION =
  /^\s*P(?:([\d.,]+)Y)?(?:([\d.,]+)M)?(?:([\d.,]+)W)?(?:([\d.,]+)D)?(?:T(?:([\d.,]+)H)?(?:([\d.,]+)M)?(?:([\d.,]+)S)?)?\s*$/i;
/** Minutes of work in a year, a month, a week, a day (of study), an hour, a minute, a second. */
const UNITS = [2_000 * 60, 160 * 60, 40 * 60, 8 * 60, 60, 1, 1 / 60];

/** Minutes of an ISO 8601 duration; undefined where the text is not one, or not a plausible one.
 *  @example readIsoMinutes('PT1H30M') // 90 */
export function readIsoMinutes(text: string): number | undefined {
  const match = DURATION.exec(text.slice(0, 60));
  if (match === null) return undefined;
  const minutes = UNITS.reduce((sum, unit, number) => {
    const amount = Number((match[number + 1] ?? '0').replace(',', '.'));
    return sum + amount * unit;
  }, 0);
  return minutes > 0 ? minutes : undefined;
}

const HOUR = 60;
const DAY_HOURS = 8;

const CLOCK = /^(\d{1,3}):([0-5]\d)(?::[0-5]\d)?$/;
const NUMBER_AND_UNIT = /(\d+(?:[.,]\d+)?)\s*([a-zéè]*)/gi;

/** Minutes by the first letters of a unit, in the languages that the service speaks. */
const units: readonly (readonly [beginning: RegExp, minutes: number])[] = [
  [/^m(?:in|n)?(?:utes?)?$/, 1],
  [/^(?:h|hrs?|hours?|heures?|stunden?|std|horas?)$/, HOUR],
  [/^(?:d|days?|j|jours?|tage?)$/, DAY_HOURS * HOUR],
  [/^(?:s|sec|seconds?|secondes?)$/, 1 / HOUR],
];

/** Minutes of a duration: `1 h 30`, `90 min`, `1h30`, `PT1H30M`, `1:30` (hours and minutes),
 *  `2 days` (of eight hours). A number alone is minutes. Null for anything else. */
export function readMinutes(text: string): number | null {
  const iso = readIsoMinutes(text);
  if (iso !== undefined) return iso;
  const clock = CLOCK.exec(text);
  if (clock !== null) return positive(Number(clock[1]) * HOUR + Number(clock[2]));
  return positive(sumOfUnits(text));
}

function sumOfUnits(text: string): number | null {
  let minutes = 0;
  let afterHours = false;
  // With anything else between numbers and units it is a sentence.
  if (text.replace(NUMBER_AND_UNIT, '').replace(/\s|[.,]|and|et/g, '') !== '') return null;
  for (const [, number = '', unit = ''] of text.matchAll(NUMBER_AND_UNIT)) {
    const factor = unit === '' ? 1 : units.find(([beginning]) => beginning.test(unit.toLowerCase()))?.[1];
    if (factor === undefined) return null;
    // `2 90`: a second number without a unit is minutes only after hours.
    if (unit === '' && minutes > 0 && !afterHours) return null;
    afterHours = factor === HOUR;
    minutes += toNumber(number) * factor;
  }
  return minutes;
}

function toNumber(text: string): number {
  return Number(text.replace(',', '.'));
}

function positive(minutes: number | null): number | null {
  return minutes !== null && minutes > 0 ? minutes : null;
}

/** Years; both ends included, an absent one open. */
interface Ages {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** Ages as catalogues write them: `12-14`, `7-`, `U-12`; undefined for `adult`.
 *  @example readAges('12-14') // { min: 12, max: 14 } */
export function readAges(text: string | undefined): Ages | undefined {
  const range = /^\D{0,3}(\d{1,3})\s*(-|–|\+|to|$)\s*(\d{1,3})?/.exec(text?.trim() ?? '');
  if (/^U\s*-/i.test(text ?? '')) return { max: Number(range?.[1]) };
  if (range === null) return undefined;
  const [, min, sign, max] = range;
  if (max !== undefined) return { min: Number(min), max: Number(max) };
  return sign === '' ? { min: Number(min), max: Number(min) } : { min: Number(min) };
}
