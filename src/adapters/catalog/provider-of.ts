import type { CatalogPart } from '../../domain/catalog.ts';
import { type ProviderRecord, providerRecord } from './catalog-schema.ts';
import { cleanTitle, cutAtWord } from './plain-text.ts';
import { shortSlug, slugOf } from './slug.ts';

const MAX_NAME = 120;

/** Who offers what is read. @param fallback where the name has no Latin letter, or there is none: an address */
export function providerOf(
  name: string | undefined,
  url: string | undefined,
  fallback: string,
): ProviderRecord {
  const host = hostOf(url) || hostOf(fallback) || fallback;
  const shown = cutAtWord(cleanTitle(name ?? '') || host, MAX_NAME);
  const id = shortSlug(slugOf(shown) || slugOf(host) || 'unknown');
  const parsed = providerRecord.safeParse({ id, name: shown, ...(url !== undefined && { url }) });
  return parsed.success ? parsed.data : { id, name: shown || id };
}

/** What is told of a provider; null where only its id is known: that must not take the place of its name. */
export function providerPart(provider: ProviderRecord): CatalogPart | null {
  const { id, name, url } = provider;
  return name === id && url === undefined ? null : { kind: 'provider', key: id, part: '', body: provider };
}

function hostOf(url: string | undefined): string {
  return url !== undefined && URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : '';
}
