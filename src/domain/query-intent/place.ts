import { foldText } from '../text.ts';

export interface City {
  /** Latitude and longitude in degrees. */
  readonly lat: number;
  readonly lon: number;
  readonly population: number;
}

/** Finds a city by its name, perhaps with a country after a comma; null if there is none. */
export type FindCity = (name: string) => City | null;

export interface ReadPlace {
  readonly wish: Pick<City, 'lat' | 'lon'> & { readonly kind: 'place'; readonly name: string };
  readonly start: number;
  readonly end: number;
}

/** Matches words before a place in folded text, in French with an article: `au Havre`. */
const BEFORE_PLACE =
  /(?<![\p{L}\p{N}'’-])(?:(?:in|near|around|close to|a|(au)|(?:pres|proche|autour|aux alentours|dans la region) d(?:e|(u)))\s+|(?:pres|proche|autour|aux alentours|dans la region) d['’]\s*)(?=\p{L})/gu;

/** Subjects about a place, where `in` does not say where to learn. */
const ABOUT_PLACES =
  /(?<!\p{L})(?:histor\w*|histoire|geograph\w*|architectur\w*|museums?|musees?|tour(?:s|is\w*)|travel\w*|voyag\w*|visit\w*|culture|life|living|vie|vivre|wars?|guerres?|revolution\w*|agreements?|accords?|treat(?:y|ies)|traites?|climat\w*|cop ?\d+|olympi\w*|made|born|fabrique\w*|nee?s?)(?!\p{L})/u;

/** City names that are more often a subject or a word. */
const NO_PLACES: ReadonlySet<string> = new Set(
  'java reading nice split bath cork orange tours lens sens gap hull derby dax phoenix jena essen mobile auch cette seul trier tulle male as thorn gent genes'.split(
    ' ',
  ),
);

/** A city with as many inhabitants is recognised without a capital letter. */
const WELL_KNOWN = 100_000;

/** Matches the end of a name. Several spaces replace words that were read before. */
const AFTER_PLACE = /\s{2,}|\s*[;:.!?()]|\s(?:en|sur|pour|avec|for|about|on|with)(?:\s(?!\d)|$)/u;

/** Reads where to learn: `in Lyon`, `près d’Angers`; null if the query names no place.
 *  @param text the query, in which spaces may replace words that were read before
 *  @param folded the same text, folded, of the same length */
export function readQueryPlace(text: string, folded: string, findCity: FindCity): ReadPlace | null {
  if (ABOUT_PLACES.test(folded)) return null;
  for (const match of folded.matchAll(BEFORE_PLACE)) {
    const from = match.index + match[0].length;
    const article = (match[1] ?? match[2]) ? 'Le ' : '';
    for (const name of listPlaceNames(text.slice(from).trimEnd())) {
      const city = isNoPlace(name) ? null : findCity(article + name);
      if (city === null || (!/^['’]?\p{Lu}/u.test(name) && city.population < WELL_KNOWN)) continue;
      const { lat, lon } = city;
      const wish = { kind: 'place', name: capitalizePlace(article + name), lat, lon } as const;
      const [comma = ''] = /^\s*,/.exec(text.slice(from + name.length)) ?? [];
      return { wish, start: match.index, end: from + name.length + comma.length };
    }
  }
  return null;
}

/** Returns candidates, the longest first: `Frankfurt, Germany`, `Aix en Provence`. */
function listPlaceNames(text: string): string[] {
  const [whole = ''] = text.split(AFTER_PLACE, 1);
  const [first = ''] = whole.split(',', 1);
  return [...new Set([text, whole, first])].filter((name) => name !== '');
}

const isNoPlace = (name: string) => NO_PLACES.has(foldText(name.split(',', 1)[0] ?? ''));

const capitalizePlace = (name: string) =>
  /\p{Lu}/u.test(name) ? name : name.replace(/(?<!\p{L})\p{Ll}/gu, (letter) => letter.toUpperCase());
