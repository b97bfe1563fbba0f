import { createHash } from 'node:crypto';

/** Whether everything is walked, as `npm run test:full` does. `npm test` takes a draw of what is large. */
export const isFullRun = process.env.TEST_FULL === '1';

/** Whether only `npm run test:unit` runs, which starts no server of a database. */
export const isUnitRun = process.env.TEST_UNIT === '1';

/** The day, so that each day has another draw; `TEST_SEED` repeats one. `set-up-run.ts` sets and prints it. */
export const drawSeed = (): string => process.env.TEST_SEED ?? new Date().toISOString().slice(0, 10);

/** Some of a matrix: all of it in a full run, else `count` of it, the same for the same seed and name. */
export const draw = <T>(from: readonly T[], name: string, count = 1): T[] =>
  isFullRun ? [...from] : drawSome(from, name, count);

/** Some of what is too large for a full run, too. */
export function drawSome<T>(from: readonly T[], name: string, count: number): T[] {
  return from
    .map((each, index) => ({ each, lot: hash(`${drawSeed()} ${name} ${index}`) }))
    .toSorted((a, b) => a.lot - b.lot)
    .slice(0, count)
    .map(({ each }) => each);
}

/** Whether something that takes long is done for this name: always in a full run, else for about a quarter of the names. */
export function isDrawn(name: string): boolean {
  return isFullRun || hash(`${drawSeed()} ${name}`) % 4 === 0;
}

/** How often a property is tried: as often as that in a full run, else a fifth of it, but `least` times; with the seed of the day. */
export function propertyRuns(full: number, least = 10): { readonly numRuns: number; readonly seed: number } {
  const numRuns = isFullRun ? full : Math.max(Math.min(least, full), Math.ceil(full / 5));
  return { numRuns, seed: hash(drawSeed()) };
}

function hash(text: string): number {
  return createHash('sha256').update(text).digest().readInt32BE();
}
