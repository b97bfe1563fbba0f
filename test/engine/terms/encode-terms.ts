import { NONE } from '../../../src/engine/terms/term-data.ts';
import type {
  SentenceMeaning,
  TermIndex,
  TermMeaning,
  TextMeaning,
} from '../../../src/engine/terms/types.ts';
import { createVectorRows } from '../../../src/engine/vectors/vector-rows.ts';
import type { LabelVectors } from '../../../src/engine/vectors/vectors.ts';
import type { Encoder } from '../../../src/ports/encoder.ts';

/** Meanings of what an index is asked, as a host makes them. */
export interface TermsEncoder {
  readonly labels: LabelVectors;
  ofText(text: string): Promise<TextMeaning>;
  ofTerm(keywords: string): Promise<TermMeaning>;
}

/** @param langs of the labels that get a vector; all when absent */
export async function encodeTerms(
  index: TermIndex,
  encoder: Encoder,
  langs?: readonly string[],
): Promise<TermsEncoder> {
  const all = [...index.labelsOf()];
  const read = all.filter(({ lang }) => langs === undefined || langs.includes(lang));
  const encoded = await encoder.encode(
    read.map(({ text }) => text),
    { kind: 'passage' },
  );
  const rows = createVectorRows(encoder.model?.dimensions ?? 1);
  const rowOf = new Uint32Array((all.at(-1)?.label ?? -1) + 1).fill(NONE);
  for (const [i, { label }] of read.entries()) {
    const vector = encoded[i]?.vector;
    if (vector !== undefined) rowOf[label] = rows.push(vector);
  }
  const labels = { rows, rowOf };
  return {
    labels,
    async ofText(text) {
      const sentences = index.sentencesOf(text).map((sentence) => sentence.text);
      const found = await encoder.encode(sentences, { kind: 'query', tokens: true });
      return {
        labels,
        sentences: found.map(
          ({ vector, tokens }): SentenceMeaning => ({
            vector,
            tokens: tokens?.vectors ?? new Float32Array(),
            spans: tokens?.spans ?? new Uint32Array(),
          }),
        ),
      };
    },
    async ofTerm(keywords) {
      const [found] = await encoder.encode([keywords], { kind: 'query' });
      return { labels, vector: found?.vector ?? new Float32Array() };
    },
  };
}
