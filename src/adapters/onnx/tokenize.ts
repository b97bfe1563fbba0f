import type { TextTokenizer } from './runtime.ts';

/** A text as the numbers that a model reads. */
export interface TokenizedText {
  /** With those that mark beginning and end. */
  readonly ids: readonly number[];
  /** Two numbers for each id from `first` on: where it stands in the text, half-open. */
  readonly spans: readonly number[];
  /** Index of the first id that is of the text, not of a mark or a prefix. */
  readonly first: number;
}

export type Tokenize = (text: string, prefix?: string) => TokenizedText;

interface WordTokens {
  readonly ids: readonly number[];
  /** Within the word. */
  readonly spans: readonly number[];
}

/** Tokenizers split at blanks first, so each word has the same tokens by itself as in a text, and that tells where they stand. A word
 *  without an end is cut: some tokenizers take time that grows with the square of its length. A mark of byte order is no blank to them. */
const WORDS = /[\S\uFEFF]{1,400}/gu;

/** What many tokenizers also split at. */
const PIECES = /\p{Script=Han}|[\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]/gu;

const MAX_KEPT = 50_000;
const MAX_KEPT_LENGTH = 40;

/** Tokens with their places, which the tokenizer does not give.
 *  @param maxTokens with the marks; what is beyond is left out */
export function createTokenize(tokenizer: TextTokenizer, maxTokens: number): Tokenize {
  const kept = new Map<string, WordTokens>();
  const { before, after } = findMarks(tokenizer);
  const idsOf = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids;

  function split(word: string): WordTokens {
    const ids = idsOf(word);
    const pieces = [...word.matchAll(PIECES)].map(({ 0: text, index }) => ({
      text,
      index,
      ids: idsOf(text),
    }));
    const joined = pieces.flatMap((piece) => piece.ids);
    // Only where the pieces by themselves are the word.
    const isSplit = joined.length === ids.length && joined.every((id, at) => id === ids[at]);
    const spans = isSplit
      ? pieces.flatMap((piece) => piece.ids.flatMap(() => [piece.index, piece.index + piece.text.length]))
      : ids.flatMap(() => [0, word.length]);
    return { ids, spans };
  }

  function tokensOf(word: string): WordTokens {
    if (word.length > MAX_KEPT_LENGTH) return split(word);
    const known = kept.get(word);
    if (known !== undefined) return known;
    const found = split(word);
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(word, found);
    return found;
  }

  return (text, prefix = '') => {
    const ids = [...before];
    const spans: number[] = [];
    const most = maxTokens - after.length;
    for (const [word] of prefix.matchAll(WORDS)) ids.push(...tokensOf(word).ids);
    const first = Math.min(ids.length, most);
    for (const { 0: word, index } of text.matchAll(WORDS)) {
      if (ids.length >= most) break;
      const tokens = tokensOf(word);
      ids.push(...tokens.ids);
      for (const place of tokens.spans) spans.push(index + place);
    }
    const cut = ids.slice(0, most);
    return { ids: [...cut, ...after], spans: spans.slice(0, 2 * (cut.length - first)), first };
  };
}

/** What the tokenizer puts before and after every text. */
function findMarks(tokenizer: TextTokenizer): { before: readonly number[]; after: readonly number[] } {
  const bare = tokenizer.encode('a', { add_special_tokens: false }).ids;
  const whole = tokenizer.encode('a', { add_special_tokens: true }).ids;
  const at = whole.findIndex((_, index) => bare.every((id, offset) => whole[index + offset] === id));
  return at < 0
    ? { before: [], after: [] }
    : { before: whole.slice(0, at), after: whole.slice(at + bare.length) };
}
