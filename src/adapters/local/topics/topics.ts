import type { ConceptRecord, FieldRecord } from '#adapters/catalog/catalog-schema';
import { OTHER_FIELD, type Topic } from '#domain/catalog';
import { createEvidenceFinder, type DescribedObject } from './evidence.ts';

export interface FoundTopics {
  readonly topics: readonly string[];
  /** Broader ones within a field: `web development` of what is about HTML. */
  readonly widerTopics: readonly string[];
}

/** What people browse by, and what of it an object is about. */
export interface Topics {
  /** Fields, and the skills under them. */
  readonly list: readonly Topic[];
  /** Ids of the topics of an object: those that its texts name, and their fields. Where that is not sure, it is of the field of all
   *  others alone. */
  find(object: DescribedObject): FoundTopics;
}

/** Digits of the code of a broad field; codes of narrower ones begin with it. */
const BROAD_DIGITS = 2;
/** A field with less is not taken: one word is not enough, a name or a phrase is. */
const ENOUGH = 3;
/** A concept with less is not taken. */
const ENOUGH_IN_PLACE = 2.5;
/** Of what speaks for the best field, that a second one has. */
const SECOND_SHARE = 0.6;
/** An object is under as many fields; the others were beside its point. */
const MAX_FIELDS = 2;

/** @param concepts of one taxonomy. A concept is of the fields that name it, else of those of its broader concepts. */
export function createTopics(concepts: readonly ConceptRecord[], fields: readonly FieldRecord[]): Topics {
  const fieldsOf = createFieldFinder(concepts, fields);
  const broaderOf = createBroaderFinder(concepts, fields);
  const skills = new Set(concepts.filter(({ kind }) => kind !== 'occupation').map(({ id }) => id));
  const weigh = createEvidenceFinder(concepts);
  return {
    list: [
      ...fields.map(({ id, labels }): Topic => ({ id, kind: 'field', labels, within: listBroader(id) })),
      ...concepts
        .filter(({ id }) => skills.has(id))
        .map(({ id, labels }): Topic => ({ id, kind: 'skill', labels, within: fieldsOf(id) })),
    ],
    find(object) {
      const weights = weigh(object);
      const found = pickFields(weights, fieldsOf);
      // A word alone is believed in its field only.
      const isTaken = ([id, weight]: readonly [string, number]) => {
        const own = fieldsOf(id);
        const isInPlace = own.length === 0 || own.some((field) => found.includes(field));
        return weight >= (isInPlace ? ENOUGH_IN_PLACE : ENOUGH);
      };
      const named = [...weights].filter(isTaken).map(([id]) => id);
      const wider = named.flatMap(broaderOf).filter((id) => skills.has(id) && !named.includes(id));
      const isFieldKnown = found.length > 0 || fields.every(({ id }) => id !== OTHER_FIELD);
      return {
        topics: [...(isFieldKnown ? found : [OTHER_FIELD]), ...named.filter((id) => skills.has(id))],
        widerTopics: [...new Set(wider)],
      };
    },
  };
}

type FieldsOf = (concept: string) => readonly string[];

function createFieldFinder(concepts: readonly ConceptRecord[], fields: readonly FieldRecord[]): FieldsOf {
  const broaderOf = new Map(concepts.map(({ id, links }) => [id, links.broader ?? []]));
  const known = new Map<string, readonly string[]>();
  for (const { id, concepts: own } of fields)
    for (const concept of own) known.set(concept, [...(known.get(concept) ?? []), id]);
  return function fieldsOf(id): readonly string[] {
    const found = known.get(id);
    if (found !== undefined) return found;
    // Ends a circle of links.
    known.set(id, []);
    const above = [...new Set((broaderOf.get(id) ?? []).flatMap(fieldsOf))];
    known.set(id, above);
    return above;
  };
}

/** Finds the concepts above one, as far as fields name one: what is at the head of a field says no more than the field. */
function createBroaderFinder(concepts: readonly ConceptRecord[], fields: readonly FieldRecord[]) {
  const heads = new Set(fields.flatMap((field) => field.concepts));
  const broaderOf = new Map(concepts.map(({ id, links }) => [id, links.broader ?? []]));
  return (id: string): readonly string[] => {
    const found = new Set<string>();
    const add = (below: string) => {
      if (heads.has(below)) return;
      for (const broader of broaderOf.get(below) ?? []) {
        if (heads.has(broader) || found.has(broader)) continue;
        found.add(broader);
        add(broader);
      }
    };
    add(id);
    return [...found];
  };
}

/** The fields that most speaks for, with the broad ones around them. */
function pickFields(evidence: ReadonlyMap<string, number>, fieldsOf: FieldsOf): readonly string[] {
  const weights = new Map<string, number>();
  const plain = new Set<string>();
  for (const [id, weight] of evidence)
    for (const field of fieldsOf(id)) {
      weights.set(field, (weights.get(field) ?? 0) + weight);
      if (weight >= ENOUGH_IN_PLACE) plain.add(field);
    }
  const best = Math.max(ENOUGH, ...weights.values());
  const chosen = [...weights]
    .filter(([, weight]) => weight >= Math.max(ENOUGH, best * SECOND_SHARE))
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .filter(([id], place) => place === 0 || plain.has(id))
    .slice(0, MAX_FIELDS);
  return [...new Set(chosen.flatMap(([id]) => [...listBroader(id), id]))];
}

function listBroader(field: string): string[] {
  const broad = field.slice(0, BROAD_DIGITS);
  return broad === field ? [] : [broad];
}
