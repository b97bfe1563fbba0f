import type { ImportRequest } from '../../../../ports/imports.ts';
import type { ProviderRecord } from '../../catalog-schema.ts';
import { toObjectRecord } from '../../object-record.ts';
import type { ReadObject } from '../read-objects.ts';
import { findAll, textsAt, type XmlNode } from '../xml-tree.ts';
import { readDublinCore } from './dublin-core.ts';
import { readLom } from './lom.ts';

export interface ListContext {
  /** Of the format that was asked for. */
  readonly prefix: string;
  readonly provider: ProviderRecord;
}

/** Empty where it has none. */
export function identifierOf(record: XmlNode | undefined): string {
  return record === undefined ? '' : (textsAt(record, 'header', 'identifier')[0] ?? '');
}

/** None of a record that was deleted. */
export function toObject(
  record: XmlNode,
  { prefix, provider }: ListContext,
  { langs }: ImportRequest,
): ReadObject[] {
  const [header] = findAll(record, 'header');
  if (header?.attributes.status === 'deleted') return [];
  const [metadata] = findAll(record, 'metadata');
  const place = identifierOf(record) || 'a record without identifier';
  if (metadata === undefined) return [{ place, provider, outcome: { reason: 'has no metadata' } }];
  const isLom = prefix !== 'oai_dc' && metadata.children[0]?.name === 'lom';
  const fields = isLom ? readLom(metadata, langs[0]) : readDublinCore(metadata);
  return [
    { place, provider, outcome: toObjectRecord({ ...fields, provider: provider.id, defaultLang: langs[0] }) },
  ];
}
