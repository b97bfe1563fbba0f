import type { LearningObject } from '#domain/learning-object';
import { findSiteEmbedding } from '#domain/sites/sites';
import { findSimilar } from '#services/searching/similar-objects';
import type { ObjectWords } from './facts.ts';
import { type HandleScope, sealHandle } from './handle.ts';
import { toObjectView } from './object-view.ts';

/** Finds the frame that shows an object, and its host. Without an embedding, it opens in a tab. */
export const findLookFrame = (object: LearningObject) => ({
  embedding: findSiteEmbedding(object),
  host: new URL(object.url).host.replace(/^www\./, ''),
});

const SEARCH_MS = 4_000;
const MAX_LIKE = 4;

interface LookLikeScope extends HandleScope {
  readonly search: Parameters<typeof findSimilar>[0];
  readonly words: ObjectWords;
}

/** Finds at most four similar objects, each with the skill that it shares with the object. */
export async function findLookLike({ search, words, ...scope }: LookLikeScope, object: LearningObject) {
  const signal = AbortSignal.any([search.signal, AbortSignal.timeout(SEARCH_MS)]);
  const similar = await findSimilar({ ...search, signal }, object);
  return similar.slice(0, MAX_LIKE).map(({ hit, skill }) => ({
    view: toObjectView(hit.object, words),
    handle: sealHandle(hit, scope),
    skill,
  }));
}
