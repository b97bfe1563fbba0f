/** Variables that the platform did not fill in arrive as they are: `$Context.id.history`. */
const UNFILLED = /^\$[A-Za-z][\w.]*$/;
const MAX_ENTRIES = 100;
const MAX_KEY = 200;
/** A course that was copied many times has a long history. */
const MAX_VALUE = 8_000;

/** Custom parameters that have a value. */
export function readCustom(claim: unknown): Readonly<Record<string, string>> {
  if (typeof claim !== 'object' || claim === null || Array.isArray(claim)) return {};
  const entries = Object.entries(claim)
    .slice(0, MAX_ENTRIES)
    .map(([key, value]): [string, string] => [key, typeof value === 'number' ? String(value) : value])
    .filter(([key, value]) => key.length <= MAX_KEY && isFilled(value));
  return Object.fromEntries(entries);
}

function isFilled(value: unknown): boolean {
  return (
    typeof value === 'string' && value !== '' && value.length <= MAX_VALUE && !UNFILLED.test(value.trim())
  );
}
