import { foldText } from '../domain/search-text.ts';

const MAX_LENGTH = 40;

/** Ids for a tenant of this name, the nicest first: `lycee-hugo`, `lycee-hugo-2`, … without end. */
export function* tenantIdsFor(name: string): Generator<string> {
  const words = foldText(name).match(/[a-z0-9]+/g) ?? ['tenant'];
  const id = cut(words.join('-'), MAX_LENGTH);
  yield id;
  for (let number = 2; ; number++) yield `${cut(id, MAX_LENGTH - `-${number}`.length)}-${number}`;
}

function cut(id: string, length: number): string {
  return id.slice(0, length).replace(/-+$/, '');
}
