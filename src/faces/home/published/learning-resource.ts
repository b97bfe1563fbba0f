import { type LearningObject, type LearningObjectType, toLearningMinutes } from '#domain/learning-object';
import { pickFacts } from '#domain/object-facts';
import { linkLicense } from '#domain/rights/licences';
import type { DerivedSkill, PublishedObject } from '#ports/object-catalog';

/** A type of schema.org, and its name in the vocabulary of types (HCRT) that AMB asks for. */
const types: Readonly<Partial<Record<string, readonly [schema: string, hcrt: string]>>> = {
  app: ['WebApplication', 'application'],
  article: ['Article', 'text'],
  book: ['Book', 'textbook'],
  'career profile': ['WebPage', 'text'],
  'distance learning': ['Course', 'course'],
  ebook: ['Book', 'textbook'],
  mooc: ['Course', 'course'],
  podcast: ['PodcastSeries', 'audio'],
  'safety sheet': ['DigitalDocument', 'text'],
  'serious game': ['Game', 'educational_game'],
  training: ['Course', 'course'],
  tutorial: ['HowTo', 'other'],
  video: ['VideoObject', 'video'],
  website: ['WebPage', 'web_page'],
} satisfies Readonly<Record<LearningObjectType, readonly [string, string]>>;

interface ResourceContext {
  readonly page: string;
  readonly derived: readonly DerivedSkill[];
}

/** JSON-LD: a LearningResource of schema.org (LRMI), also valid in the profile AMB. Derived skills
 *  are no `teaches`. Source: https://w3id.org/kim/amb/ */
export function toLearningResource({ object, keywords, age }: PublishedObject, { page, derived }: ResourceContext) {
  const { lang = 'en', teaches = [], price } = object;
  const ofTypes = object.type.flatMap((name) => [types[name] ?? []].filter((each) => each.length > 0));
  const concepts = teaches.flatMap(({ uri, label }) =>
    uri === undefined
      ? []
      : [{ id: uri, type: 'Concept', ...(label !== undefined && { prefLabel: { [lang]: label } }) }],
  );
  const labels = teaches.flatMap(({ uri, label }) => (uri === undefined && label ? [label] : []));
  return {
    // Processors of JSON-LD pass over what is derived.
    '@context': ['https://schema.org', 'https://w3id.org/kim/amb/context.jsonld', { '@language': lang, derived: null }],
    id: object.url,
    type: [...new Set(['LearningResource', ...ofTypes.map(([schema]) => schema)])],
    name: object.title,
    ...(object.description !== undefined && { description: object.description }),
    inLanguage: [lang],
    ...(keywords.length > 0 && { keywords }),
    ...(object.picture !== undefined && { image: object.picture }),
    ...(object.author.length > 0 && { creator: object.author.map((name) => ({ type: 'Person', name })) }),
    ...(object.publisher.length > 0 && {
      publisher: object.publisher.map((name) => ({ type: 'Organization', name })),
    }),
    ...(object.provider !== undefined && { provider: { type: 'Organization', name: object.provider } }),
    ...(ofTypes.length > 0 && {
      learningResourceType: [...new Set(ofTypes.map(([, hcrt]) => hcrt))].map((name) => ({
        id: `https://w3id.org/kim/hcrt/${name}`,
        type: 'Concept',
      })),
    }),
    ...(price !== undefined && { isAccessibleForFree: price.free }),
    ...(concepts.length > 0 && { teaches: concepts }),
    // The profile has concepts with addresses only.
    ...(labels.length > 0 && {
      educationalAlignment: labels.map((targetName) => {
        return { type: 'AlignmentObject', alignmentType: 'teaches', targetName };
      }),
    }),
    ...(age !== undefined && { typicalAgeRange: `${age.min ?? 0}-${age.max ?? ''}` }),
    ...writeFacts(object),
    mainEntityOfPage: [{ id: page, type: 'WebContent' }],
    ...(derived.length > 0 && { derived }),
  };
}

/** A name with the prefix says what the profile cannot: it allows no other values of the name
 *  itself. */
function writeFacts({
  license,
  published,
  modified,
  educationalLevel,
  learningTime,
  teaches: _,
  ...others
}: LearningObject) {
  const rights = license === undefined ? null : linkLicense(license);
  const minutes = toLearningMinutes(learningTime);
  return {
    ...(rights !== null && (isProfileLicense(rights) ? { license: { id: rights } } : { 'schema:license': rights })),
    ...writeDate('datePublished', published),
    ...writeDate('dateModified', modified),
    ...(minutes !== undefined && { timeRequired: `PT${Math.max(1, Math.round(minutes))}M` }),
    ...(educationalLevel !== undefined && { 'schema:educationalLevel': educationalLevel }),
    ...pickFacts(others),
  };
}

/** Of a year or a month, no day is known. */
const writeDate = (name: string, date: string | undefined) =>
  date !== undefined && { [date.length === 10 ? name : `schema:${name}`]: date };

const isProfileLicense = (address: string): boolean =>
  /^https?:\/\/(?:creativecommons\.org\/(?:licen[sc]es|publicdomain)|www\.(?:gnu|apache)\.org\/licenses)\/./.test(
    address,
  );
