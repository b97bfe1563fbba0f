import type { ConceptRecord, FieldRecord } from '#adapters/catalog/catalog-schema';
import { OTHER_FIELD, type Topic } from '#domain/catalog';
import { addCount } from '#engine/maps';
import { createEvidenceFinder, type DescribedObject } from './evidence.ts';

export interface ObjectTopics {
  readonly topics: readonly string[];
  /** Broader topics within a field, such as `web development` for an object about HTML. */
  readonly widerTopics: readonly string[];
}

export interface Topics {
  /** Fields, and the skills of each field. */
  readonly list: readonly Topic[];
  /** Finds the topics in the texts of an object and their fields; if there is none, OTHER_FIELD. */
  find(object: DescribedObject): ObjectTopics;
}

/** Digits in the code of a broad field, which begins those of its narrower fields. */
const BROAD_DIGITS = 2;
/** Minimum evidence for a field, or for a concept outside the object's fields: that of a name or a
 *  phrase, not of a word. */
const MIN_EVIDENCE = 3;
/** Minimum evidence for a concept in the fields of the object. */
const MIN_EVIDENCE_IN_FIELD = 2.5;
/** A second field has at least this share of the evidence for the first. */
const MIN_SECOND_SHARE = 0.6;
const MAX_FIELDS = 2;

/** @param concepts belong to the fields that list them, else to those of their broader concepts */
export function createTopics(concepts: readonly ConceptRecord[], fields: readonly FieldRecord[]): Topics {
  const broaderConcepts = new Map(concepts.map(({ id, links }) => [id, links.broader ?? []]));
  const fieldsOf = createTopicFieldFinder(broaderConcepts, fields);
  const broaderOf = createBroaderTopicFinder(broaderConcepts, fields);
  const skills = new Set(concepts.filter(({ kind }) => kind !== 'occupation').map(({ id }) => id));
  const weigh = createEvidenceFinder(concepts);
  return {
    list: [
      ...fields.map(({ id, labels }): Topic => ({ id, kind: 'field', labels, within: listBroaderTopics(id) })),
      ...concepts
        .filter(({ id }) => skills.has(id))
        .map(({ id, labels }): Topic => ({ id, kind: 'skill', labels, within: fieldsOf(id) })),
    ],
    find(object) {
      const weights = weigh(object);
      const chosen = chooseTopicFields(weights, fieldsOf);
      const isCertain = ([id, weight]: readonly [string, number]) => {
        const ownFields = fieldsOf(id);
        const isInField = ownFields.length === 0 || ownFields.some((field) => chosen.includes(field));
        return weight >= (isInField ? MIN_EVIDENCE_IN_FIELD : MIN_EVIDENCE);
      };
      const named = [...weights].filter(isCertain).map(([id]) => id);
      const wider = named.flatMap(broaderOf).filter((id) => skills.has(id) && !named.includes(id));
      const hasField = chosen.length > 0 || fields.every(({ id }) => id !== OTHER_FIELD);
      return {
        topics: [...(hasField ? chosen : [OTHER_FIELD]), ...named.filter((id) => skills.has(id))],
        widerTopics: [...new Set(wider)],
      };
    },
  };
}

type BroaderConcepts = ReadonlyMap<string, readonly string[]>;
type FieldsOf = (concept: string) => readonly string[];

function createTopicFieldFinder(broaderOf: BroaderConcepts, fields: readonly FieldRecord[]): FieldsOf {
  const cached = new Map<string, readonly string[]>();
  for (const field of fields)
    for (const concept of field.concepts) cached.set(concept, [...(cached.get(concept) ?? []), field.id]);
  return function fieldsOf(id): readonly string[] {
    const existing = cached.get(id);
    if (existing !== undefined) return existing;
    // Links may be circular.
    cached.set(id, []);
    const inherited = [...new Set((broaderOf.get(id) ?? []).flatMap(fieldsOf))];
    cached.set(id, inherited);
    return inherited;
  };
}

/** Finds broader concepts, except those that a field lists, which mean the same as the field. */
function createBroaderTopicFinder(broaderOf: BroaderConcepts, fields: readonly FieldRecord[]) {
  const heads = new Set(fields.flatMap((field) => field.concepts));
  return (id: string): readonly string[] => {
    const result = new Set<string>();
    const add = (below: string) => {
      if (heads.has(below)) return;
      for (const broader of broaderOf.get(below) ?? []) {
        if (heads.has(broader) || result.has(broader)) continue;
        result.add(broader);
        add(broader);
      }
    };
    add(id);
    return [...result];
  };
}

/** Chooses the fields with the most evidence, each after its broad field. */
function chooseTopicFields(evidence: ReadonlyMap<string, number>, fieldsOf: FieldsOf): readonly string[] {
  const weights = new Map<string, number>();
  const certain = new Set<string>();
  for (const [id, weight] of evidence)
    for (const field of fieldsOf(id)) {
      addCount(weights, field, weight);
      if (weight >= MIN_EVIDENCE_IN_FIELD) certain.add(field);
    }
  const best = Math.max(MIN_EVIDENCE, ...weights.values());
  const chosen = [...weights]
    .filter(([, weight]) => weight >= Math.max(MIN_EVIDENCE, best * MIN_SECOND_SHARE))
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .filter(([id], place) => place === 0 || certain.has(id))
    .slice(0, MAX_FIELDS);
  return [...new Set(chosen.flatMap(([id]) => [...listBroaderTopics(id), id]))];
}

function listBroaderTopics(field: string): string[] {
  const broad = field.slice(0, BROAD_DIGITS);
  return broad === field ? [] : [broad];
}
