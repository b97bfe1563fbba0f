/** A value that must be there: otherwise the demo itself is wrong. */
export function getPresent<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`the demo lacks ${what}`);
  return value;
}
