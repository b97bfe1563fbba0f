import { z } from 'zod';
import { factSchemas } from '#contract/learning-object';
import { bloomObjectives, learningObjectTypes } from '#domain/learning-object';
import { CONCEPT_ID_PATTERN } from '#domain/object-facts';
import { objectTextLimits } from '#domain/object-fields';

/** Schemas of the records of `data/`. A test compares `data/schema/*.json` with them. */

const language = z.string().regex(/^[a-z]{2}$/, 'a two-letter code');
const text = z.string().trim().min(1);
const names = z.array(text).default([]);
const webAddress = z.url({ protocol: /^https?$/, error: 'write an http or https address' });
const slug = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'lower-case words joined by hyphens');
const age = z.int().min(0).max(120);

export const learningObjectRecord = z
  .strictObject({
    url: webAddress,
    title: text.max(objectTextLimits.title),
    /** Written for this catalogue, in the language of the object. */
    description: text.max(objectTextLimits.description),
    /** Id of a record of `providers.jsonl`. */
    provider: slug,
    type: z.array(z.enum(learningObjectTypes)).min(1),
    bloom: z.array(z.enum(bloomObjectives)).min(1),
    lang: language,
    keywords: z.array(text).min(1),
    level: z.number().min(-1).max(1).exactOptional(),
    learningTime: z.strictObject({ value: z.number().positive(), unit: z.enum(['h', 'min']) }).exactOptional(),
    publisher: names,
    author: names,
    /** Absent if no price is known. */
    free: z.boolean().exactOptional(),
    /** An editorial estimate. */
    popularity: z.number().min(0).max(1),
    address: text.exactOptional(),
    location: z.strictObject({ lat: z.number().min(-90).max(90), lon: z.number().min(-180).max(180) }).exactOptional(),
    age: z.strictObject({ min: age.exactOptional(), max: age.exactOptional() }).exactOptional(),
    picture: webAddress.exactOptional(),
    embed: webAddress.exactOptional(),
    ...factSchemas,
  })
  .refine((record) => record.address === undefined || record.location !== undefined, {
    path: ['location'],
    error: 'an address needs its location',
  });
export type LearningObjectRecord = z.infer<typeof learningObjectRecord>;

export const providerRecord = z.strictObject({
  id: slug,
  name: text,
  /** Absent for a collection of independent sites; the host then links to a page of its own. */
  url: webAddress.exactOptional(),
  license: webAddress.exactOptional(),
});
export type ProviderRecord = z.infer<typeof providerRecord>;

const labels = z.record(language, text);
const labelLists = z.record(language, z.array(text));
const conceptIds = z.array(text);

const conceptLinks = z.strictObject({
  broader: conceptIds.exactOptional(),
  related: conceptIds.exactOptional(),
  sameAs: conceptIds.exactOptional(),
  essential: conceptIds.exactOptional(),
  optional: conceptIds.exactOptional(),
});

export const conceptRecord = z.strictObject({
  /** The taxonomy's prefix, a colon, and a code or slug; unique over all taxonomies. */
  id: z.string().regex(CONCEPT_ID_PATTERN, 'prefix:code'),
  source: text,
  kind: z.enum(['skill', 'occupation', 'domain', 'topic']),
  /** The taxonomy's address of the concept, which crosswalks may use. */
  uri: webAddress.exactOptional(),
  labels,
  altLabels: labelLists.default({}),
  description: labels.exactOptional(),
  links: conceptLinks.default({}),
});
export type ConceptRecord = z.infer<typeof conceptRecord>;
export type ConceptKind = ConceptRecord['kind'];
export type ConceptLink = keyof ConceptRecord['links'];

/** Some fields of a concept. All parts with one id are merged into its record. */
export const conceptPart = z.strictObject({
  id: conceptRecord.shape.id.exactOptional(),
  source: text.exactOptional(),
  kind: conceptRecord.shape.kind.exactOptional(),
  uri: webAddress.exactOptional(),
  labels: labels.exactOptional(),
  altLabels: labelLists.exactOptional(),
  description: labels.exactOptional(),
  links: conceptLinks.exactOptional(),
});
export type ConceptPart = z.infer<typeof conceptPart>;

export const placeRecord = z.strictObject({
  name: text,
  /** Further names, in any language. */
  names,
  country: z.string().regex(/^[A-Z]{2}$/, 'a two-letter country code'),
  lat: z.number().min(-90).max(90),
  lon: z.number().min(-180).max(180),
  /** Rounded; the larger place wins where two share a name. */
  population: z.int().positive(),
});
export type PlaceRecord = z.infer<typeof placeRecord>;

/** A field of study: a broad one of two digits, or a narrower one that begins with them. */
export const fieldRecord = z.strictObject({
  /** Its code in ISCED-F 2013. */
  id: z.string().regex(/^\d{2,4}$/, 'a code of two to four digits'),
  labels,
  /** Ids of the concepts of this field, which stand for their narrower concepts, too. */
  concepts: conceptIds,
});
export type FieldRecord = z.infer<typeof fieldRecord>;

export const recordSchemas = {
  'learning-object': learningObjectRecord,
  provider: providerRecord,
  concept: conceptRecord,
  place: placeRecord,
  field: fieldRecord,
} as const;
