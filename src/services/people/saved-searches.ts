import { AppError } from '../../errors.ts';

/** As many as a page can show. */
const SAVED_SEARCHES = 50;
const MAX_LENGTH = 1_000;

/** With this search first, each text once. Null where there are too many: none gives way to another. */
export function saveAmong(searches: readonly string[], text: string): readonly string[] | null {
  if (searches.includes(text)) return searches;
  return searches.length < SAVED_SEARCHES ? [text, ...searches] : null;
}

/** As it is kept. Errors: PARAMETERS_INVALID. */
export function checkedSearch(text: string): string {
  const search = text.trim();
  if (search !== '' && search.length <= MAX_LENGTH) return search;
  throw new AppError('PARAMETERS_INVALID', `A search to save has 1 to ${MAX_LENGTH} characters. Change it.`);
}
