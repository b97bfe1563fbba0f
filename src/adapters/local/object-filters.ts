import { type LearningObjectQuery, levels, type QueryFilter, WISHED_DISTANCE } from '#domain/learning-object-query';
import { toDayNumber } from '#domain/object-facts';
import { omitUndefined } from '#domain/omit-undefined';
import type { QueryWish } from '#domain/query-wishes';
import type { ObjectFilters, RangeFilter } from '#engine/objects/types';
import { AppError } from '#errors';
import type { Geocoder, Place } from './gazetteer.ts';

/** Filters that exclude even with `match: best-effort`; they are relaxed if nothing fits. */
export type RelaxableFilter = 'lang' | 'provider';

/** With `match: strict` or `!important` a filter excludes; otherwise it ranks lower, but language
 *  and provider exclude unless they are `relaxed`. Wishes rank, and never exclude. */
export function buildObjectFilters(
  query: LearningObjectQuery,
  place: Place | null,
  { relaxed = [], wishes = [] }: { relaxed?: readonly RelaxableFilter[]; wishes?: readonly QueryWish[] } = {},
): ObjectFilters {
  const isStrict = (name: QueryFilter) => query.match === 'strict' || query.important.has(name);
  const excludes = (name: RelaxableFilter) => isStrict(name) || !relaxed.includes(name);
  const { providers, types, blooms, lang, publisher, free, has = [], newerThan } = query;
  return {
    ...Object.assign({}, ...wishes.map(toWishedFilter)),
    ...(providers.length > 0 && { provider: { values: providers, strict: excludes('provider') } }),
    ...(lang !== undefined && { lang: { values: [lang], strict: excludes('lang') } }),
    ...(types.length > 0 && { type: { values: types, strict: isStrict('type') } }),
    ...(blooms.length > 0 && { bloom: { values: blooms, strict: isStrict('bloom') } }),
    ...(publisher !== undefined && { publisher: { name: publisher, strict: isStrict('publisher') } }),
    ...(free !== undefined && { free: { value: free, strict: isStrict('free') } }),
    ...(has.length > 0 && { marks: { values: has, strict: true } }),
    ...(newerThan !== undefined && { day: { min: toDayNumber(newerThan), strict: true } }),
    ...filterByRange('age', query.ageMin, query.ageMax, isStrict('age')),
    ...filterByRange('learningTime', query.learningTimeMin, query.learningTimeMax, isStrict('learningTime')),
    ...filterByRange('level', query.levelMin, query.levelMax, isStrict('level')),
    ...filterByRange('popularity', query.popularityMin, undefined, isStrict('popularity')),
    ...filterByDistance(query.distanceMax, place, isStrict('distance')),
  };
}

/** Returns the wishes about which the query has no filter of its own. */
export function listOpenWishes(
  query: LearningObjectQuery,
  place: Place | null,
  wishes: readonly QueryWish[],
): readonly QueryWish[] {
  const filters = buildObjectFilters(query, place);
  return wishes.filter((wish) => Object.keys(toWishedFilter(wish)).every((name) => !(name in filters)));
}

function toWishedFilter(wish: QueryWish): ObjectFilters {
  const filters = Object.entries(toPlainFilter(wish));
  return Object.fromEntries(filters.map(([name, filter]) => [name, { ...filter, isWish: true }]));
}

function toPlainFilter(wish: QueryWish): ObjectFilters {
  const strict = false;
  switch (wish.kind) {
    case 'level': {
      const { levelMin, levelMax }: Partial<LearningObjectQuery> = levels[wish.level];
      return filterByRange('level', levelMin, levelMax, strict);
    }
    case 'type':
      return { type: { values: wish.types, strict } };
    case 'free':
      return { free: { value: true, strict } };
    case 'length':
      return filterByRange('learningTime', undefined, wish.minutes, strict);
    case 'place':
      return filterByDistance(WISHED_DISTANCE, wish, strict);
    case 'audience':
      // Its words are searched for beside the topic.
      return {};
  }
}

function filterByRange(
  name: 'age' | 'learningTime' | 'level' | 'popularity',
  min: number | undefined,
  max: number | undefined,
  strict: boolean,
): ObjectFilters {
  if (min === undefined && max === undefined) return {};
  return { [name]: { strict, ...omitUndefined({ min, max }) } satisfies RangeFilter };
}

function filterByDistance(
  km: number | undefined,
  place: Pick<Place, 'lat' | 'lon'> | null,
  strict: boolean,
): ObjectFilters {
  return km === undefined || place === null ? {} : { distance: { lat: place.lat, lon: place.lon, km, strict } };
}

/** Returns the place of the query's address, if it has one. Errors: PLACE_UNKNOWN. */
export async function getFilterPlace(query: LearningObjectQuery, geocoder: Geocoder): Promise<Place | null> {
  const { address } = query;
  if (address === undefined) return null;
  const place = await geocoder.findPlace(address);
  if (place !== null) return place;
  throw new AppError(
    'PLACE_UNKNOWN',
    `No place is known for the address "${address}". Give the name of a city, for example "Lyon" or "Amsterdam, NL".`,
  );
}
