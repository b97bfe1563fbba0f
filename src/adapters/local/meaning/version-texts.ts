import type { ObjectDocument } from '../../../engine/objects/types.ts';
import { NONE } from '../../../engine/terms/term-data.ts';
import type { TermIndex } from '../../../engine/terms/types.ts';
import type { EncoderModel } from '../../../ports/encoder.ts';
import type { KnownRecord } from '../records-file.ts';
import type { NumberedText, TextSet } from './encode-texts.ts';
import type { ModelStores, StoreName } from './model-stores.ts';
import { keyOfText } from './vector-store.ts';
import type { VersionVectors } from './version-vectors.ts';

/** Characters of an object that are encoded: models read about so many. */
const MAX_OBJECT_CHARS = 1_000;
/** The first half of one of two units. */
const CUT_LETTER = /[\ud800-\udbff]$/;

/** What an object is about, as it is encoded. */
export function textOfObject({
  title,
  keywords,
  description,
}: Pick<ObjectDocument, 'title' | 'keywords' | 'description'>): string {
  const text = `${title}. ${keywords.join(', ')}. ${description}`;
  return text.slice(0, MAX_OBJECT_CHARS).replace(CUT_LETTER, '');
}

/** Texts of a version that one model reads, and which of them have vectors. */
export interface VersionTexts {
  /** In the order in which they are wanted. */
  readonly sets: readonly { readonly set: TextSet; readonly kind: StoreName }[];
  /** What is known by now, as it will stay. */
  show(stores: Pick<ModelStores, 'model' | StoreName>, isComplete: boolean): VersionVectors;
  /** Texts that have a vector. */
  countDone(kind: StoreName): number;
}

export interface VersionContent {
  readonly terms: Pick<TermIndex, 'labelsOf'>;
  readonly objects: EncodedObjects;
}

/** Objects that are encoded; none where another engine keeps them. */
export interface EncodedObjects {
  /** Popular ones first. */
  listIds(): readonly string[];
  findRecord(id: string): KnownRecord | null;
}

/** Preferred labels first, as they say what the others say, too; then what is searched for most. */
export function listVersionTexts(
  { terms, objects: own }: VersionContent,
  { langs }: Pick<EncoderModel, 'langs'>,
): VersionTexts {
  const { preferred, others } = listLabelTexts(terms, langs);
  const objects = listObjectTexts(own);
  const tables = { labels: preferred.rowOf, objects: objects.rowOf };
  return {
    sets: [
      { set: preferred, kind: 'labels' },
      { set: objects, kind: 'objects' },
      { set: others, kind: 'labels' },
    ],
    show({ model, labels, objects: { rows, find } }, isComplete) {
      const rowOfObject = objects.rowOf.slice();
      return {
        ...{ model, isComplete },
        labels: { rows: labels.rows, rowOf: preferred.rowOf.slice() },
        objects: {
          rows,
          rowOf(id) {
            const row = rowOfObject[objects.numberOf(id) ?? rowOfObject.length] ?? NONE;
            return row === NONE ? -1 : row;
          },
        },
        rowOfText: (text) => find(keyOfText(text)),
      };
    },
    countDone: (kind) => tables[kind].reduce((count, row) => (row === NONE ? count : count + 1), 0),
  };
}

/** Of the languages that a model reads: preferred labels and the others, whose rows are in one table by label.
 *  @param langs null for all */
function listLabelTexts(
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

interface ObjectTexts extends TextSet {
  /** The number of an object, by its id; undefined where there is none. */
  numberOf(id: string): number | undefined;
}

/** All of them, popular ones first: also in languages that the model does not read well it puts what words find into a better order,
 *  and what had no vector would come after what has one. Records are read one by one, as seldom as can be. */
function listObjectTexts({ listIds, findRecord }: EncodedObjects): ObjectTexts {
  const ids = listIds();
  const numbers = new Map(ids.map((id, number) => [id, number]));
  function* texts(): Generator<NumberedText> {
    for (const [number, id] of ids.entries()) {
      const found = findRecord(id);
      if (found !== null) yield { number, text: textOfObject(found.record) };
    }
  }
  return { texts, rowOf: new Uint32Array(ids.length).fill(NONE), numberOf: (id) => numbers.get(id) };
}
