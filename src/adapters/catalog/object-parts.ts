import type { CatalogPart } from '#domain/catalog';
import { normalizeObjectAddress } from '#domain/learning-object';
import { objectTextLimits } from '#domain/object-fields';
import type { ImportItem, RejectedRow } from '#ports/imports';
import { type ProviderRecord, providerRecord } from './catalog-schema.ts';
import type { ObjectOutcome } from './object-record.ts';
import { cleanTitle, cutTextAtWord, shortenSlug, slugifyText } from './plain-text.ts';

const MAX_PLACE = 300;

/** The provider of an object.
 *  @param fallback an address, where there is no name with a Latin letter */
export function toObjectProvider(name: string | undefined, url: string | undefined, fallback: string): ProviderRecord {
  const host = hostOf(url) || hostOf(fallback) || fallback;
  const shown = cutTextAtWord(cleanTitle(name ?? '') || host, objectTextLimits.provider);
  const id = shortenSlug(slugifyText(shown) || slugifyText(host) || 'unknown');
  const parsed = providerRecord.safeParse({ id, name: shown, ...(url !== undefined && { url }) });
  return parsed.success ? parsed.data : { id, name: shown || id };
}

/** The part of a provider; null where only its id is given, as an id must not replace a name. */
export function toObjectProviderPart(provider: ProviderRecord): CatalogPart | null {
  const { id, name, url } = provider;
  return name === id && url === undefined ? null : { kind: 'provider', key: id, part: '', body: provider };
}

const hostOf = (url: string | undefined): string =>
  url !== undefined && URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : '';

/** A learning object that was read, or the reason why not. */
export interface ReadObject {
  readonly place: string;
  readonly provider: ProviderRecord;
  readonly outcome: ObjectOutcome;
}

/** The parts of all objects, each provider before its objects. Of several objects with one address
 *  the first counts; another one with the same title is left out, else it is rejected. */
export function toObjectParts(objects: readonly ReadObject[]): Pick<ImportItem, 'parts' | 'rejected' | 'rows'> {
  const titles = new Map<string, string>();
  const providers = new Map<string, CatalogPart>();
  const records = new Map<string, CatalogPart>();
  const rejected: RejectedRow[] = [];
  for (const { place, provider, outcome } of objects) {
    if ('reason' in outcome) {
      const { reason, of } = outcome;
      rejected.push({ place: cutTextAtWord(place, MAX_PLACE), reason, ...(of !== undefined && { of }) });
      continue;
    }
    const { record } = outcome;
    const providerPart = toObjectProviderPart(provider);
    if (providerPart !== null && !providers.has(providerPart.key)) providers.set(providerPart.key, providerPart);
    const address = normalizeObjectAddress(record.url);
    const title = titles.get(address);
    if (title === undefined) records.set(record.url, { kind: 'object', key: record.url, part: '', body: record });
    else if (title !== record.title)
      rejected.push({
        place: cutTextAtWord(place, MAX_PLACE),
        reason: `“${record.title}” has the address of “${title}”: give each its own`,
      });
    titles.set(address, title ?? record.title);
  }
  return { rows: objects.length, parts: [...providers.values(), ...records.values()], rejected };
}
