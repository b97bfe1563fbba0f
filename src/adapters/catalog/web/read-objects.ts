import type { CatalogPart } from '../../../domain/catalog.ts';
import type { ImportItem, RejectedRow } from '../../../ports/imports.ts';
import type { ProviderRecord } from '../catalog-schema.ts';
import type { ObjectOutcome } from '../object-record.ts';
import { cutAtWord } from '../plain-text.ts';
import { providerPart } from '../provider-of.ts';

export interface ReadObject {
  readonly place: string;
  readonly provider: ProviderRecord;
  readonly outcome: ObjectOutcome;
}

const MAX_PLACE = 300;

/** Each provider is told of before its objects; of an address that comes twice the first counts. */
export function toParts(objects: readonly ReadObject[]): Pick<ImportItem, 'parts' | 'rejected' | 'rows'> {
  const providers = new Map<string, CatalogPart>();
  const records = new Map<string, CatalogPart>();
  const rejected: RejectedRow[] = [];
  for (const { place, provider, outcome } of objects) {
    if ('reason' in outcome) {
      const { reason, of } = outcome;
      rejected.push({ place: cutAtWord(place, MAX_PLACE), reason, ...(of !== undefined && { of }) });
      continue;
    }
    const { record } = outcome;
    const told = providerPart(provider);
    if (told !== null && !providers.has(told.key)) providers.set(told.key, told);
    if (!records.has(record.url))
      records.set(record.url, { kind: 'object', key: record.url, part: '', body: record });
  }
  return { rows: objects.length, parts: [...providers.values(), ...records.values()], rejected };
}
