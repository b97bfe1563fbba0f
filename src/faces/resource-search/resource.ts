import type { LearningObject, LearningObjectType } from '#domain/learning-object';
import { learningObjectTypes, toLearningMinutes } from '#domain/learning-object';
import { OBJECT_PARAMETER } from '#domain/lti/placement';
import { linkLicense } from '#domain/rights/licences';

const resourceTypes: Readonly<Record<LearningObjectType, string>> = {
  app: 'Interactive/Simulation',
  article: 'Text/Article',
  book: 'Text/Book',
  'career profile': 'Text/Reference',
  'distance learning': 'Collection/Course',
  ebook: 'Text/Book',
  mooc: 'Collection/Course',
  podcast: 'Media/Audio',
  'safety sheet': 'Text/Reference',
  'serious game': 'Game',
  training: 'Collection/Course',
  tutorial: 'Activity/Learning',
  video: 'Media/Video',
  website: 'Text/Website',
};

/** Lists our types for names of types in Resource Search, ignoring case. */
export const listResourceTypes = (names: readonly string[]): readonly LearningObjectType[] =>
  learningObjectTypes.filter((type) => names.some((name) => name.toLowerCase() === resourceTypes[type].toLowerCase()));

/** A learning object in the form of Resource Search. What is not stated is undefined. */
export type Resource = ReturnType<typeof toResource>;

/** The fields of the specification. */
export const resourceFields: readonly string[] = (
  'id name description subject url ltiLink learningResourceType language thumbnailUrl typicalAgeRange ' +
  'textComplexity learningObjectives author publisher useRightsURL timeRequired technicalFormat ' +
  'educationalAudience accessibilityAPI accessibilityInputMethods accessibilityFeatures accessibilityHazards ' +
  'accessMode publishDate rating relevance extensions'
).split(' ');

interface ResourceHost {
  /** Where people reach the host, without a slash at the end. */
  readonly publicUrl: string;
  readonly hasLti: boolean;
}

/** @param id is the same for all spellings of the object's address */
export function toResource(object: LearningObject, id: string, { publicUrl, hasLti }: ResourceHost) {
  const { host } = new URL(publicUrl);
  const { license, published, modified, lang, picture, price, level } = object;
  const objectives = [
    ...(object.teaches ?? []).map(({ uri, label }) => ({
      alignmentType: 'teaches' as const,
      targetName: label,
      targetURL: uri,
    })),
    ...(object.educationalLevel ?? []).map((targetName) => ({ alignmentType: 'educationLevel' as const, targetName })),
  ];
  const resourceType = learningObjectTypes.find((type) => object.type.includes(type));
  const minutes = toLearningMinutes(object.learningTime);
  return {
    id,
    name: object.title,
    url: object.url,
    ltiLink: hasLti ? toResourceLtiLink(object, publicUrl) : undefined,
    learningResourceType: resourceType === undefined ? 'Other' : resourceTypes[resourceType],
    publisher: object.publisher[0] ?? object.provider ?? host,
    description: object.description,
    language: lang === undefined ? undefined : [lang],
    thumbnailUrl: picture,
    learningObjectives: objectives.length > 0 ? objectives : undefined,
    author: object.author.length > 0 ? object.author : undefined,
    useRightsURL: license === undefined ? undefined : (linkLicense(license) ?? undefined),
    timeRequired: minutes === undefined ? undefined : `PT${Math.max(1, Math.round(minutes))}M`,
    accessibilityFeatures: object.accessibilityFeature,
    accessibilityHazards: object.accessibilityHazard,
    accessMode: object.accessMode,
    // A year or a month is not a date of the specification.
    publishDate: published?.length === 10 ? published : undefined,
    extensions: {
      types: object.type,
      bloom: object.bloom,
      provider: object.provider,
      level,
      free: price?.free,
      license,
      published,
      modified,
      accessibilitySummary: object.accessibilitySummary,
    },
  };
}

/** Returns the LTI link with which this tool shows the object that the parameter names. */
function toResourceLtiLink({ title, url, description }: LearningObject, publicUrl: string) {
  const secure = publicUrl.startsWith('https:') ? 'secure_' : '';
  return {
    title,
    ...(description !== undefined && { description }),
    [`${secure}launch_url`]: `${publicUrl}/lti/launch`,
    [`${secure}icon`]: `${publicUrl}/assets/icon.svg`,
    custom: { [OBJECT_PARAMETER]: url },
    vendor: { code: new URL(publicUrl).hostname, name: 'Skilldock', url: publicUrl },
  };
}

/** Returns the values of a field: `search`, or one with dots as `extensions.provider`. */
export function readResourceValues(resource: Resource, field: string): readonly string[] {
  if (field === 'search') return [`${resource.name}\n${resource.description ?? ''}`];
  let values: unknown[] = [resource];
  for (const name of field.split('.'))
    values = values.flatMap((value) =>
      typeof value === 'object' && value !== null ? ((value as Record<string, unknown>)[name] ?? []) : [],
    );
  return values.filter((value) => typeof value !== 'object').map(String);
}
