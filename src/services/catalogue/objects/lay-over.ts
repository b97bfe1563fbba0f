import { type LearningObject, normalizeObjectAddress } from '#domain/learning-object';
import { applyObjectEdits } from '#domain/object-fields';
import type { SearchAnswer } from '#ports/learning-service';
import type { TenantLayer } from '#ports/object-catalog';

/** An object as the tenant has it: with what was edited; null where it is hidden. */
export function layOverObject(object: LearningObject, { all, own }: TenantLayer): LearningObject | null {
  const address = normalizeObjectAddress(object.url);
  const changes = [all.changes.get(address), own.changes.get(address)].flatMap((change) => change ?? []);
  if (changes.some(({ state }) => state.isHidden)) return null;
  return changes.reduce((edited, { state }) => applyObjectEdits(edited, state.fields), object);
}

/** An upstream's answer as the tenant gets it: without what is hidden, and with what was edited. What was added is not mixed in, as
 *  nobody knows where it would rank; a page may so have fewer objects than were asked for. */
export function layOverAnswer(answer: SearchAnswer, layer: TenantLayer): SearchAnswer {
  if (layer.stamp === '') return answer;
  const found = answer.content.map((object) => layOverObject(object, layer));
  const keep = <T>(list: readonly T[]) => list.filter((_, place) => found[place] !== null);
  const content = found.filter((object) => object !== null);
  const { highlights, requestIds, tiers } = answer;
  const isEdited = (place: number) => found[place] !== answer.content[place];
  return {
    ...answer,
    content,
    totalItems: Math.max(content.length, answer.totalItems - (found.length - content.length)),
    // Marked places are of the words before.
    ...(highlights && {
      highlights: keep(
        highlights.map((one, place) => (isEdited(place) ? { title: [], description: [] } : one)),
      ),
    }),
    ...(requestIds && { requestIds: keep(requestIds) }),
    ...(tiers && { tiers: keep(tiers) }),
  };
}
