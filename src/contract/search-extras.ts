import { z } from 'zod';
import { tiers } from '#domain/answer';
import type { LearningObject } from '#domain/learning-object';
import type { Facets, Highlight, SearchAnswer } from '#ports/learning-service';
import { learningObject, stringifyLearningObject } from './learning-object.ts';
import { extended, extension } from './shared.ts';

const reason = z.enum(['late', 'failed', 'not-asked']);

const missing = z.array(
  z.looseObject({
    id: z.string().meta({ description: 'Id of the provider' }),
    why: reason.meta({
      description:
        '`late`: it did not answer in time, and may be there when the same is asked again; `failed`: it cannot be searched at the moment; `not-asked`: there are too many, name it to search it',
    }),
  }),
);

export const missingField = extended(
  missing.min(1).exactOptional(),
  'Providers whose objects are not, or not all, among these; absent where none is missing',
);

export const isTotalExactField = extended(
  z.literal(false).exactOptional(),
  'false: the total is about so many; absent where it is exact',
);

/** Accepts missing providers; an unknown reason counts as failed. */
const acceptedMissing = z
  .array(
    z
      .object({ id: z.string(), why: reason.catch('failed') })
      .nullable()
      .catch(null),
  )
  .catch([]);

const counts = z.array(z.looseObject({ value: z.string(), count: z.int().min(0) }));
const facets = z.looseObject({ provider: counts, type: counts, bloom: counts, lang: counts });
const ranges = z.array(z.tuple([z.int().min(0), z.int().min(0)]));
const highlight = z.looseObject({ title: ranges, description: ranges });
const tier = z.enum(tiers).exclude(['fitting']);

/** A learning object with details on request, and with fields of combined searches. */
export const detailedLearningObject = learningObject.extend({
  highlight: extended(highlight.exactOptional(), 'What matched, with `details`: half-open ranges of UTF-16 offsets'),
  tier: tier.exactOptional().meta({
    description:
      'How it stands to the words: `other-language` fits, in another language than theirs; `close` only shares something with them. Absent where it fits, and then it comes before these',
    ...extension,
  }),
  request_id: extended(
    z.string().exactOptional(),
    '`request_id` of a feedback on this object, where it is not `request.id`',
  ),
});

export const facetsField = extended(
  facets.exactOptional(),
  'With `details`: how many matching objects have each value',
);

type WireFacets = z.input<typeof facets>;
const facetNames = ['provider', 'type', 'bloom', 'lang'] as const satisfies readonly (keyof Facets)[];

export function writeSearchFacets(facetCounts: Facets): WireFacets {
  return Object.fromEntries(
    facetNames.map((name) => [name, Array.from(facetCounts[name], ([value, count]) => ({ value, count }))]),
  ) as WireFacets;
}

/** Joins the texts of objects, which are written once each, with their fields in this answer. */
export function stringifySearchItems(answer: SearchAnswer, withDetails: boolean): string {
  const { content, requestId, highlights, tiers, requestIds } = answer;
  const texts = content.map((object, index) => {
    const text = stringifyLearningObject(object);
    const highlight = withDetails ? highlights?.[index] : undefined;
    const tier = tiers?.[index];
    const objectRequestId = requestIds?.[index];
    const extras: Partial<z.input<typeof detailedLearningObject>> = {
      ...(highlight !== undefined && { highlight: writeSearchHighlight(highlight) }),
      ...(tier !== undefined && tier !== 'fitting' && { tier }),
      ...(objectRequestId !== undefined && objectRequestId !== requestId && { request_id: objectRequestId }),
    };
    const extrasText = JSON.stringify(extras);
    return extrasText === '{}' ? text : `${text.slice(0, -1)},${extrasText.slice(1)}`;
  });
  return texts.join(',');
}

function writeSearchHighlight({ title, description }: Highlight): z.input<typeof highlight> {
  const copySpans = (spans: Highlight['title']) => spans.map(([start, end]): [number, number] => [start, end]);
  return { title: copySpans(title), description: copySpans(description) };
}

type WireItem = Readonly<Record<string, unknown>>;

/** Reads the optional fields of an answer; an invalid one counts as absent. */
export function readSearchDetails(
  { facets: counted, content }: { readonly facets?: unknown; readonly content: readonly WireItem[] },
  { objects, requestId }: { readonly objects: readonly LearningObject[]; readonly requestId: string },
): Pick<SearchAnswer, 'facets' | 'highlights' | 'tiers' | 'requestIds'> {
  const parsed = facets.safeParse(counted);
  const requestIds = content.map(({ request_id }) => (typeof request_id === 'string' ? request_id : ''));
  return {
    ...(parsed.success && { facets: readSearchFacets(parsed.data) }),
    ...(content.some(({ highlight }) => highlight !== undefined) && {
      highlights: objects.map((object, index) => readSearchHighlight(content[index]?.highlight, object)),
    }),
    ...(content.some((item) => item.tier !== undefined) && {
      tiers: content.map((item) => tier.safeParse(item.tier).data ?? 'fitting'),
    }),
    ...(requestIds.some((id) => id !== '') && { requestIds: requestIds.map((id) => id || requestId) }),
  };
}

function readSearchFacets(wire: WireFacets): Facets {
  return Object.fromEntries(
    facetNames.map((name) => [name, new Map(wire[name].map(({ value, count }) => [value, count]))]),
  ) as unknown as Facets;
}

function readSearchHighlight(wire: unknown, { title, description = '' }: LearningObject): Highlight {
  const parsed = highlight.safeParse(wire);
  if (!parsed.success) return { title: [], description: [] };
  return {
    title: isWithinText(parsed.data.title, title) ? parsed.data.title : [],
    description: isWithinText(parsed.data.description, description) ? parsed.data.description : [],
  };
}

/** Returns whether ranges are ascending and within a text, as it is marked from range to range. */
const isWithinText = (spans: z.output<typeof ranges>, { length }: string): boolean =>
  spans.every(([start, end], index) => (spans[index - 1]?.[1] ?? 0) <= start && start < end && end <= length);

/** Reads missing providers and whether the total is exact; an invalid value counts as absent. */
export function readSearchGaps(response: {
  readonly missing?: unknown;
  readonly metadata: Readonly<Record<string, unknown>>;
}): Pick<SearchAnswer, 'missing' | 'isTotalExact'> {
  const gaps = acceptedMissing.parse(response.missing).filter((gap) => gap !== null);
  return {
    ...(response.metadata.isTotalExact === false && { isTotalExact: false }),
    ...(gaps.length > 0 && { missing: gaps }),
  };
}
