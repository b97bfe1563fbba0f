import type { FindCity } from '#domain/query-intent/place';
import { fold } from '#engine/text/fold';
import type { PlaceRecord } from '../catalog/catalog-schema.ts';

export type Place = Pick<PlaceRecord, 'name' | 'country' | 'lat' | 'lon'>;

export interface Geocoder {
  /** Null for an unknown address. */
  findPlace(address: string): Promise<Place | null>;
  readonly findCity: FindCity;
}

/** The longest names of cities, such as "Santa Cruz de la Sierra", have this many words. */
const MAX_NAME_WORDS = 5;

/** An address is placed by its first part between commas that is a city, with or without a
 *  postal code ("Montréal, Québec" is Montréal), else by the last city in it ("12 rue de Paris
 *  Lyon" is in Lyon). Of cities with the same name, the largest wins, unless the address has the
 *  country, as two letters or in English, French, Spanish or German. */
export function createGazetteer(places: readonly PlaceRecord[]): Geocoder {
  const byName = indexPlacesByName(places);
  const countryCodes = indexCountryCodes(places);
  return {
    async findPlace(address) {
      const parts = address.split(',').map(toPlaceKey);
      const countries = new Set(parts.map((part) => countryCodes.get(part)));
      const namesakes = findPlacesOfParts(byName, parts) ?? findLastCity(byName, toPlaceKey(address).split(' '));
      return namesakes?.find(({ country }) => countries.has(country)) ?? namesakes?.[0] ?? null;
    },
    findCity(text) {
      const [city = '', ...suffixes] = text.split(',').map(toPlaceKey);
      const countries = suffixes.map((suffix) => countryCodes.get(suffix));
      return byName.get(city)?.find(({ country }) => countries.every((code) => code === country)) ?? null;
    },
  };
}

type ByName = ReadonlyMap<string, readonly PlaceRecord[]>;

function indexPlacesByName(places: readonly PlaceRecord[]): ByName {
  const byName = new Map<string, PlaceRecord[]>();
  for (const place of places.toSorted((a, b) => b.population - a.population))
    for (const name of new Set([place.name, ...place.names].map(toPlaceKey)))
      byName.set(name, [...(byName.get(name) ?? []), place]);
  return byName;
}

const COUNTRY_LANGUAGES = ['en', 'fr', 'es', 'de'];

function indexCountryCodes(places: readonly PlaceRecord[]): ReadonlyMap<string, string> {
  const codes = [...new Set(places.map(({ country }) => country))];
  const named = COUNTRY_LANGUAGES.flatMap((lang) => {
    const names = new Intl.DisplayNames([lang], { type: 'region' });
    return codes.map((code) => [toPlaceKey(names.of(code) ?? code), code] as const);
  });
  return new Map([...named, ...codes.map((code) => [toPlaceKey(code), code] as const)]);
}

function findPlacesOfParts(byName: ByName, parts: readonly string[]): readonly PlaceRecord[] | undefined {
  for (const part of parts) {
    const places = byName.get(part) ?? byName.get(part.replace(POSTAL_CODE, ''));
    if (places !== undefined) return places;
  }
  return undefined;
}

/** A postal code before a city, such as "69003", "D 80333" or "1098 XH". */
const POSTAL_CODE = /^(?:[a-z]{1,2} )?\d{4,6}(?: [a-z]{2}(?= ))? /;

function findLastCity(byName: ByName, words: readonly string[]): readonly PlaceRecord[] | undefined {
  for (let end = words.length; end > 0; end--) {
    for (let length = Math.min(MAX_NAME_WORDS, end); length > 0; length--) {
      const places = byName.get(words.slice(end - length, end).join(' '));
      if (places !== undefined) return places;
    }
  }
  return undefined;
}

function toPlaceKey(text: string): string {
  return fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
