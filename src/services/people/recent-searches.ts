import type { RecentSearch } from '../../domain/person.ts';

const MAX_SEARCHES = 10;
const MAX_LENGTH = 300;

/** With this search first; the last ten, each text once. */
export function noteAmong(
  searches: readonly RecentSearch[],
  { text, searchedAt }: RecentSearch,
): RecentSearch[] {
  // By characters, so that none is cut in two.
  const kept = [...text.trim()].slice(0, MAX_LENGTH).join('');
  const others = searches.filter((search) => search.text !== kept);
  return kept === '' ? others : [{ text: kept, searchedAt }, ...others].slice(0, MAX_SEARCHES);
}
