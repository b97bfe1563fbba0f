import { createObjectView } from '../../../engine/objects/object-view.ts';
import type { TermIndex } from '../../../engine/terms/types.ts';
import type { LearningObjectRecord } from '../../catalog/catalog-schema.ts';
import type { BaseCatalog } from '../catalog-view.ts';
import { NONE, type NumberedText, type TextSet } from './encode-texts.ts';

/** Characters of an object that are encoded: models read about so many. */
const MAX_OBJECT_CHARS = 1_000;

/** What an object is about, as it is encoded. */
export function textOfObject({
  title,
  keywords,
  description,
}: Pick<LearningObjectRecord, 'title' | 'keywords' | 'description'>): string {
  const text = `${title}. ${keywords.join(', ')}. ${description}`;
  // A letter of two units may have been cut in two.
  return text.slice(0, MAX_OBJECT_CHARS).toWellFormed();
}

/** Of the languages that a model reads: preferred labels and the others, whose rows are in one table by label.
 *  @param langs null for all */
export function listLabelTexts(
  terms: Pick<TermIndex, 'labelsOf'>,
  langs: readonly string[] | null,
): { readonly preferred: TextSet; readonly others: TextSet } {
  const isRead = (lang: string) => langs === null || langs.includes(lang);
  function* textsOf(wanted: boolean): Generator<NumberedText> {
    for (const { label, text, lang, isPreferred } of terms.labelsOf())
      if (isPreferred === wanted && isRead(lang)) yield { number: label, text };
  }
  let end = 0;
  for (const { label } of terms.labelsOf()) end = label + 1;
  const rowOf = new Uint32Array(end).fill(NONE);
  return {
    preferred: { texts: () => textsOf(true), rowOf },
    others: { texts: () => textsOf(false), rowOf },
  };
}

export interface ObjectTexts extends TextSet {
  /** The number of an object, by its id; undefined where there is none. */
  numberOf(id: string): number | undefined;
}

/** Those of the languages that a model reads, popular ones first. Records are read one by one, as seldom as can be. */
export function listObjectTexts(
  { objects, findRecord }: Pick<BaseCatalog, 'objects' | 'findRecord'>,
  langs: readonly string[] | null,
): ObjectTexts {
  const filters = langs === null ? {} : { lang: { values: langs, strict: true } };
  const limit = objects.stats().documents;
  const { ids } = createObjectView(objects.select([])).list({ filters, sort: 'popularity', offset: 0, limit });
  const numbers = new Map(ids.map((id, number) => [id, number]));
  function* texts(): Generator<NumberedText> {
    for (const [number, id] of ids.entries()) {
      const found = findRecord(id);
      if (found !== null) yield { number, text: textOfObject(found.record) };
    }
  }
  return { texts, rowOf: new Uint32Array(ids.length).fill(NONE), numberOf: (id) => numbers.get(id) };
}
