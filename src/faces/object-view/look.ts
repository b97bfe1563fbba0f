import type { LearningObject } from '#domain/learning-object';
import { type Embedding, findEmbedding } from '#domain/sites/sites';
import { findSimilar } from '#services/searching/similar-objects';
import type { ObjectWords } from './facts.ts';
import { type HandleScope, sealHandle } from './handle.ts';
import { type ObjectView, toObjectView } from './object-view.ts';

/** How the content of an object can be looked at. */
export interface LookFrame {
  /** Null where it can only be opened in a tab of its own. */
  readonly embedding: Embedding | null;
  /** Of the object's address. */
  readonly host: string;
}

export function findLookFrame(object: LearningObject): LookFrame {
  return { embedding: findEmbedding(object), host: new URL(object.url).host.replace(/^www\./, '') };
}

/** What `views/partials/look-like.eta` shows. */
export interface LookLike {
  readonly view: ObjectView;
  readonly handle: string;
  /** That both are for. */
  readonly skill: string;
}

/** For all searches together. */
const SEARCH_MS = 4_000;
const MAX_LIKE = 4;

export interface LookLikeScope extends HandleScope {
  readonly search: Parameters<typeof findSimilar>[0];
  readonly words: ObjectWords;
}

/** Objects like one, in the reader's words; what is found in time. */
export async function findLookLike(
  { search, words, ...scope }: LookLikeScope,
  object: LearningObject,
): Promise<readonly LookLike[]> {
  const signal = AbortSignal.any([search.signal, AbortSignal.timeout(SEARCH_MS)]);
  const similar = await findSimilar({ ...search, signal }, object);
  return similar.slice(0, MAX_LIKE).map(({ found, skill }) => ({
    view: toObjectView(found.object, words),
    handle: sealHandle(found, scope),
    skill,
  }));
}
