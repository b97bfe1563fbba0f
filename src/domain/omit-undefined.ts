type OptionalKey<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T];

/** Returns the fields that are not undefined, for types in which absent means unknown.
 *  @example omitUndefined({ level: undefined, free: true }) // { free: true } */
export function omitUndefined<T extends object>(
  fields: T,
): Omit<T, OptionalKey<T>> & { [K in OptionalKey<T>]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
