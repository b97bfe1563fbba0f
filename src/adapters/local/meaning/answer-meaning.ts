import { LRUCache } from 'lru-cache';
import type { TermIndex, TermMeaning, TextMeaning } from '../../../engine/terms/types.ts';
import type { WordsEncoder } from './encode-words.ts';
import type { VersionVectors } from './version-vectors.ts';

/** What a request means, for the answers of one version: null where that is not known, and the answer goes by words. */
export interface AnswerMeaning {
  /** @param lang of the keywords, a two-letter code; null where it is not known */
  ofTerm(keywords: string, lang: string | null): Promise<TermMeaning | null>;
  /** @param lang of the text, a two-letter code */
  ofText(text: string, lang: string): Promise<TextMeaning | null>;
  /** The same for all pages of a search, whoever turns them: vectors that come meanwhile, or an encoder that fails, would put them in
   *  another order. What was not known can be known the next time somebody begins.
   *  @param scope of the catalogue that is searched, beside its version */
  ofSearch(search: {
    readonly keywords: string;
    readonly page: number;
    readonly scope: string;
  }): Promise<SearchMeaning | null>;
}

export interface SearchMeaning {
  /** Another one for each choice of vectors. */
  readonly stamp: number;
  readonly vectors: VersionVectors;
  readonly vector: Float32Array;
}

export interface AnswerMeaningDeps {
  readonly words: WordsEncoder;
  readonly terms: Pick<TermIndex, 'sentencesOf'>;
  vectors(): VersionVectors | null;
}

/** Sentences of a text that are encoded, and compared without a pause, about 4 ms each: the rest of a long one goes by words. */
const MAX_SENTENCES = 12;
/** Searches whose pages may still be turned, and for how long. */
const MAX_SEARCHES = 2_000;
const SEARCH_MS = 10 * 60_000;

export function createAnswerMeaning({ words, terms, vectors }: AnswerMeaningDeps): AnswerMeaning {
  const searches = new LRUCache<string, { readonly meaning: Promise<SearchMeaning | null> }>({
    max: MAX_SEARCHES,
    ttl: SEARCH_MS,
    // Each holds the vectors as they were then.
    ttlAutopurge: true,
  });

  let stamp = 0;

  async function encode(keywords: string): Promise<SearchMeaning | null> {
    const known = vectors();
    const vector = known && (await words.encodeWords(keywords, 'query', known.model));
    return known && vector && { stamp: ++stamp, vectors: known, vector };
  }

  /** What a model makes of a language that it does not read is chance. */
  const reads = (lang: string | null) => lang === null || vectors()?.model.langs?.includes(lang) !== false;

  return {
    async ofTerm(keywords, lang) {
      const found = reads(lang) ? await encode(keywords) : null;
      return found && { labels: found.vectors.labels, vector: found.vector };
    },

    async ofText(text, lang) {
      const known = vectors();
      if (known === null || !reads(lang)) return null;
      const sentences = terms
        .sentencesOf(text)
        .slice(0, MAX_SENTENCES)
        .map((sentence) => sentence.text);
      const encoded = await words.encodeSentences(sentences, known.model);
      return encoded.every((each) => each === null) ? null : { labels: known.labels, sentences: encoded };
    },

    async ofSearch({ keywords, page, scope }) {
      const key = JSON.stringify([keywords, scope]);
      const entry = searches.get(key);
      if (entry !== undefined) {
        const kept = await entry.meaning;
        if (page > 0 || (kept !== null && isCurrent(kept, vectors()))) return kept;
      }
      const meaning = encode(keywords);
      searches.set(key, { meaning });
      return meaning;
    },
  };
}

/** Whoever begins a search while vectors are still made has what there is by then; later ones change little. */
function isCurrent({ vectors }: SearchMeaning, now: VersionVectors | null): boolean {
  return vectors === now || (vectors.isComplete && vectors.model.fingerprint === now?.model.fingerprint);
}
