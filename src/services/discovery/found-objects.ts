import type { Answered } from '../../domain/answer.ts';
import type { SearchAnswer } from '../../ports/learning-service.ts';
import type { FoundObject } from './results.ts';

/** What an answer has, each object with how it was found. */
export function foundObjectsOf<P extends string | null>(
  { value, source }: Answered<SearchAnswer>,
  providerId: P,
): (FoundObject & { readonly providerId: P })[] {
  const { requestId, requestIds, quality, highlights } = value;
  return value.content.map((object, index) => {
    const highlight = highlights?.[index];
    return {
      object,
      requestId: requestIds?.[index] ?? requestId,
      quality,
      providerId,
      source,
      ...(highlight && { highlight }),
    };
  });
}
