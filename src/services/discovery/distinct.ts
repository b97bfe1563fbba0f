import { foldText } from '../../domain/text.ts';

/** A label as labels are compared: without case, accents and extra blanks. */
export function foldLabel(label: string): string {
  return foldText(label).trim().replace(/\s+/g, ' ');
}

/** The items in their order, the first of each key. */
export function distinctBy<T>(items: Iterable<T>, keyOf: (item: T) => string): T[] {
  const first = new Map<string, T>();
  for (const item of items) {
    const key = keyOf(item);
    if (!first.has(key)) first.set(key, item);
  }
  return [...first.values()];
}
