import { InvalidArgumentError } from 'commander';
import { systemClock } from '../ports/clock.ts';

const MAX_NAME_LENGTH = 100;

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('Give a whole number from 1.');
  return value;
}

/** The last moment of a day in UTC. */
export function futureDay(text: string): Date {
  const end = new Date(`${text}T23:59:59.999Z`);
  // Only a real day comes back as it was written: the 30th of February would be the 2nd of March.
  const isDay = !Number.isNaN(end.getTime()) && end.toISOString().startsWith(`${text}T`);
  if (!isDay || end <= systemClock.now())
    throw new InvalidArgumentError('Give a day to come, such as 2027-06-30.');
  return end;
}

export function shortName(text: string): string {
  // A control or direction character would change how the list looks on a terminal.
  if (text.trim() === '' || text.length > MAX_NAME_LENGTH || /[\p{Cc}\p{Cf}]/u.test(text))
    throw new InvalidArgumentError(`Give a name of 1 to ${MAX_NAME_LENGTH} printable characters.`);
  return text.trim();
}
