/** Texts of the page that the scripts say, by their names. */
export type Words = Readonly<Record<string, string>>;

/** Put values in for `{names}`. */
export function fill(words: string | undefined, values: Readonly<Record<string, string | number>>): string {
  return (words ?? '').replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));
}
