import { durationMinutes } from '../web/durations.ts';

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

/** How long something takes, in minutes: `1 h 30`, `90 min`, `1h30`, `PT1H30M`, `1:30` (hours and minutes), `2 days` (of
 *  eight hours). A number alone is minutes. Null where it is nothing of the kind. */
export function readMinutes(text: string): number | null {
  const iso = durationMinutes(text);
  if (iso !== undefined) return iso;
  const clock = CLOCK.exec(text);
  if (clock !== null) return positive(Number(clock[1]) * HOUR + Number(clock[2]));
  return positive(sumOfUnits(text));
}

function sumOfUnits(text: string): number | null {
  let minutes = 0;
  let afterHours = false;
  // Anything between the numbers and their units makes it a sentence.
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
