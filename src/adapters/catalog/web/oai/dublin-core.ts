import type { ObjectFields } from '../../object-record.ts';
import { textsAt, type XmlNode } from '../xml-tree.ts';
import { firstAddress, isOpenLicense } from './record-texts.ts';

/** What a record in Dublin Core says of an object. */
export function readDublinCore(metadata: XmlNode): Omit<ObjectFields, 'provider'> {
  const [dc] = metadata.children;
  const texts = (name: string) => (dc === undefined ? [] : textsAt(dc, name));
  return {
    url: firstAddress(texts('identifier')) ?? '',
    title: texts('title')[0] ?? '',
    description: texts('description')[0] ?? texts('abstract')[0],
    types: [...texts('type'), ...texts('format')],
    otherwise: 'article',
    lang: texts('language')[0],
    // Many write all in one, between semicolons.
    keywords: texts('subject').flatMap((subject) => subject.split(';')),
    authors: texts('creator'),
    publishers: texts('publisher'),
    free: texts('rights').some(isOpenLicense) ? true : undefined,
  };
}
