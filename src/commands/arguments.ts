import { InvalidArgumentError } from 'commander';
import { cleanName, findNameProblem, MAX_NAME_LENGTH, parseEndOfDay } from '#domain/text';
import { systemClock } from '#ports/clock';

export function createNumberArgumentParser(max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isSafeInteger(value) && value >= 1 && value <= max) return value;
    throw new InvalidArgumentError(`Give a whole number from 1 to ${max}.`);
  };
}

/** Returns the last moment of a future day, in UTC. */
export function parseDayArgument(text: string): Date {
  const end = parseEndOfDay(text);
  if (end === null || end <= systemClock.now())
    throw new InvalidArgumentError('Give a day to come, such as 2027-06-30.');
  return end;
}

export function parseNameArgument(text: string): string {
  const name = cleanName(text);
  if (findNameProblem(name) === null) return name;
  throw new InvalidArgumentError(
    `Give a name of 1 to ${MAX_NAME_LENGTH} printable characters, with a letter or digit in it.`,
  );
}
