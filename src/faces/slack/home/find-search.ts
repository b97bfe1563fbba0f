import type { ShelfOwner } from '../../../ports/store/store.ts';
import { digestText } from './digest.ts';
import type { HomeDeps } from './home-deps.ts';

/** The saved or recent search that a button stands for; null where it is neither any more. */
export async function findSearch(
  { people }: Pick<HomeDeps, 'people'>,
  owner: ShelfOwner,
  digest: string,
): Promise<string | null> {
  const [saved, recent] = await Promise.all([people.listSavedSearches(owner), people.listSearches(owner)]);
  const texts = [...saved, ...recent.map(({ text }) => text)];
  return texts.find((text) => digestText(text) === digest) ?? null;
}
