import type { ImportRequest } from '../../../../ports/imports.ts';
import type { ReadObject } from '../read-objects.ts';
import { type JsonLd, readJsonLd, readPageJsonLd } from './json-ld.ts';
import { toSchemaObject } from './schema-object.ts';

/** What a page, or a file of JSON, describes. @param page its address, or its name for people */
export function objectsOf(
  { langs, provider }: ImportRequest,
  page: string,
  text: string,
): { readonly objects: readonly ReadObject[]; readonly found: JsonLd } {
  const found = /^\s*[[{]/.test(text) ? readJsonLd(text) : readPageJsonLd(text);
  const [defaultLang] = langs;
  return { found, objects: found.nodes.map((node) => toSchemaObject(node, { page, defaultLang, provider })) };
}
