import type { Topic } from '../../../domain/catalog.ts';
import type { ConceptRecord, FieldRecord } from '../../catalog/catalog-schema.ts';
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
  /** Ids of the topics of an object: those that its title or a keyword names, and their fields. Where that is not sure, it is of the field of all others alone. */
  find(object: DescribedObject): FoundTopics;
}

/** Code of the field of what is of no other. */
export const OTHER_FIELD = '99';
/** Digits of the code of a broad field; codes of narrower ones begin with it. */
const BROAD_DIGITS = 2;
/** A concept with less is not taken. */
const ENOUGH = 3;
/** This is, where none has more, or one of the same field has: "Intermediate Algebra" is about algebra. */
const ENOUGH_IN_PLACE = 2.5;
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
      const likely = [...weigh(object)].filter(([, weight]) => weight >= ENOUGH_IN_PLACE);
      const certain = likely.filter(([, weight]) => weight >= ENOUGH);
      const sure = certain.length > 0 ? certain : likely;
      const found = pickFields(sure, fieldsOf);
      const isInPlace = (id: string) => fieldsOf(id).some((field) => found.includes(field));
      const about = likely.filter((each) => sure.includes(each) || isInPlace(each[0]));
      const named = about.map(([id]) => id);
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
function pickFields(
  likely: readonly (readonly [id: string, weight: number])[],
  fieldsOf: FieldsOf,
): readonly string[] {
  const weights = new Map<string, number>();
  for (const [id, weight] of likely)
    for (const field of fieldsOf(id)) weights.set(field, (weights.get(field) ?? 0) + weight);
  const best = Math.max(0, ...weights.values());
  const chosen = [...weights]
    .filter(([, weight]) => weight >= best / 2)
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, MAX_FIELDS);
  return [...new Set(chosen.flatMap(([id]) => [...listBroader(id), id]))];
}

function listBroader(field: string): string[] {
  const broad = field.slice(0, BROAD_DIGITS);
  return broad === field ? [] : [broad];
}
