/** What must be there: anything else is a mistake in the demo itself. */
export function getPresent<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`the demo lacks ${what}`);
  return value;
}
