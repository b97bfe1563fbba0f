import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { readStarterCatalog } from '../../../src/adapters/local/starter-catalog.ts';
import { toLearningMinutes } from '../../../src/domain/learning-object.ts';
import { findLicenseRights } from '../../../src/domain/rights/licences.ts';
import { objectsOf, openSource, providersOf, readItems } from '../../adapters/catalog/web/read-source.ts';

type Body = Readonly<Record<string, unknown>>;

/** Fields in a form for comparison: types and objectives are sorted, a length is in seconds, an
 *  address has one spelling. Without a stated price, a price implied by an open licence is left
 *  out; so is the popularity, which each host estimates. */
function toComparable(
  { type, bloom, learningTime, popularity: _, provider: __, free, url, ...rest }: Body,
  name: string,
) {
  const license = rest.license as string | undefined;
  const isImplied = license !== undefined && findLicenseRights(license) !== null;
  return {
    ...rest,
    url: new URL(url as string).href,
    type: [...(type as string[])].sort(),
    bloom: [...(bloom as string[])].sort(),
    seconds: Math.round(60 * (toLearningMinutes(learningTime as Parameters<typeof toLearningMinutes>[0]) ?? -1)),
    provider: name,
    ...(!isImplied && { free }),
  };
}

/** Harvests a host with our own importer, and compares what it gives with the starter catalogue. */
export async function expectOwnCatalogue(location: string, providerId: string | null): Promise<number> {
  const items = await readItems(await openSource({ format: 'oai', location }));
  const names = new Map(providersOf(items).map(({ id, name }) => [id, name as string]));
  const harvested = objectsOf(items).map((body) => toComparable(body, names.get(body.provider) ?? `${body.provider}`));
  const { objects, providers } = readStarterCatalog('data');
  const ownNames = new Map(providers.map(({ id, name }) => [id, name]));
  const own = objects
    .filter(({ provider }) => providerId === null || provider === providerId)
    .map((record) => toComparable(record, ownNames.get(record.provider) ?? ''));
  const byUrl = new Map(own.map((record): [string, Body] => [record.url, record]));
  // Only those that differ, or the message would be too long to be shown.
  const differing = harvested.filter((record) => !isDeepStrictEqual(record, byUrl.get(record.url)));
  expect(differing).toEqual(differing.map(({ url }) => byUrl.get(url)));
  expect(harvested).toHaveLength(own.length);
  return own.length;
}
