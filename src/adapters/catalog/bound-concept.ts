import type { ConceptPart } from './catalog-schema.ts';
import { cutAtWord } from './plain-text.ts';

/** Characters. Longer ones are sentences that got into the wrong column. */
export const MAX_LABEL = 500;
/** Of one language. The longest list of the official taxonomies, of O*NET, has 2,750. */
const MAX_LABELS = 5_000;
const MAX_DESCRIPTION = 5_000;

type Texts = Pick<ConceptPart, 'altLabels' | 'description'>;

/** The same with descriptions that are not too long, and neither too many nor too long alternative labels: all of them are held
 *  in memory while an index is built. */
export function boundConcept<T extends Texts>(body: T): T {
  const { altLabels, description } = body;
  return {
    ...body,
    ...(altLabels !== undefined && { altLabels: mapValues(altLabels, boundLabels) }),
    ...(description !== undefined && {
      description: mapValues(description, (text) => cutAtWord(text, MAX_DESCRIPTION)),
    }),
  };
}

function boundLabels(labels: readonly string[]): string[] {
  return labels.filter(({ length }) => length <= MAX_LABEL).slice(0, MAX_LABELS);
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
