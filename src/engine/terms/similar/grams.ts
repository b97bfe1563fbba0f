import { createGrowableUint32, groupByKey } from '#engine/arrays';
import { addToHash, HASH_START } from '#engine/hash';
import { isStopword } from '#engine/text/stopwords';
import { measureIdf } from '#engine/text/term';
import { type GramTable, type LabelTable, labelRoles, type Postings } from '../term-data.ts';

/** Slots of the hash table of n-grams. 60,000 words have some 100,000 n-grams: two in three have a
 *  slot to themselves, and two words that share a slot by chance differ in others. */
export const GRAM_SLOTS = 2 ** 17;

/** The lengths of n-grams, in letters. */
const SHORTEST = 3;
const LONGEST = 4;

interface GramInput {
  readonly labels: LabelTable;
  readonly words: readonly string[];
  readonly langs: readonly string[];
}

/** Builds the n-grams of words. The vector of a label is the sum of those of its words, so the
 *  product of two labels is a sum over pairs of words, and words have fewer n-grams than labels. */
export function buildGrams(input: GramInput): GramTable {
  const { labels, words } = input;
  const grams = words.map((word) => Uint32Array.from(listGrams(word)));
  const wordLabels = collectGramWords(input);
  const count = new Uint16Array(GRAM_SLOTS);
  const weight = weighGrams(grams, wordLabels.postings, labels.conceptOf.length);
  return {
    ...invertGrams(grams),
    weight,
    wordLength: Float32Array.from(grams, (ofWord) => measureGrams([ofWord], weight, count)),
    labelLength: Float32Array.from(labels.conceptOf, (_, label) => {
      const { start, content } = wordLabels;
      const ofWords = Array.from(content.subarray(start[label], start[label + 1]), (word) => grams[word]!);
      return measureGrams(ofWords, weight, count);
    }),
    wordLabels: wordLabels.postings,
  };
}

function collectGramWords({ labels, words, langs }: GramInput) {
  const isFunctionWord = langs.map((lang) => Uint8Array.from(words, (word) => (isStopword(word, lang) ? 1 : 0)));
  const content = createGrowableUint32();
  const start = new Uint32Array(labels.conceptOf.length + 1);
  const labelOf = createGrowableUint32();
  for (let label = 0; label < labels.conceptOf.length; label++) {
    if (labels.roleOf[label] !== labelRoles.phrase) {
      const labelWords = labels.words.subarray(labels.wordStart[label], labels.wordStart[label + 1]);
      const marks = isFunctionWord[labels.langOf[label]!]!;
      const meaningful = labelWords.filter((word) => marks[word] === 0);
      for (const word of meaningful.length > 0 ? meaningful : labelWords) {
        content.push(word);
        labelOf.push(label);
      }
    }
    start[label + 1] = content.length;
  }
  const flat = content.finish();
  const byWord = groupByKey(flat, words.length, labelOf.finish());
  return { start, content: flat, postings: { start: byWord.start, labels: byWord.values } };
}

/** Weighs n-grams by their squared idf over labels, as a product of vectors has it twice. */
function weighGrams(grams: readonly Uint32Array[], { start }: Postings, labelCount: number): Float32Array {
  const labelCounts = new Uint32Array(GRAM_SLOTS);
  for (const [word, ofWord] of grams.entries()) {
    for (const gram of new Set(ofWord)) labelCounts[gram]! += start[word + 1]! - start[word]!;
  }
  const weigh = (count: number) => measureIdf(Math.max(labelCount, count), count) ** 2;
  const weight = new Float32Array(GRAM_SLOTS).fill(weigh(1));
  // In a small index most slots are empty.
  for (let gram = 0; gram < GRAM_SLOTS; gram++) if (labelCounts[gram]! > 1) weight[gram] = weigh(labelCounts[gram]!);
  return weight;
}

function invertGrams(grams: readonly Uint32Array[]): Pick<GramTable, 'gramStart' | 'gramWords'> {
  const slots = createGrowableUint32();
  const words = createGrowableUint32();
  for (const [word, ofWord] of grams.entries()) {
    for (const gram of ofWord) {
      slots.push(gram);
      words.push(word);
    }
  }
  const { start: gramStart, values: gramWords } = groupByKey(slots.finish(), GRAM_SLOTS, words.finish());
  return { gramStart, gramWords };
}

/** Lists the slots of a word's n-grams, with repetitions. Spaces mark the word's borders, so
 *  that its ends weigh more. */
export function listGrams(word: string): number[] {
  const padded = ` ${word} `;
  const slots: number[] = [];
  for (let start = 0; start + SHORTEST <= padded.length; start++) {
    const end = Math.min(start + LONGEST, padded.length);
    let hash = HASH_START;
    for (let i = start; i < end; i++) {
      hash = addToHash(hash, padded.charCodeAt(i));
      if (i >= start + SHORTEST - 1) slots.push((hash ^ (hash >>> 15)) & (GRAM_SLOTS - 1));
    }
  }
  return slots;
}

/** Measures the length of the sum of the vectors of words, in which each n-gram is a dimension.
 *  @param weight by slot: the squared weight of an n-gram
 *  @param count working memory of GRAM_SLOTS, all zeros before and after */
export function measureGrams(
  gramsByWord: Iterable<ArrayLike<number>>,
  weight: Float32Array,
  count: Uint16Array,
): number {
  let squares = 0;
  const lists = [...gramsByWord];
  for (const grams of lists) {
    for (let i = 0; i < grams.length; i++) {
      // (n + 1)² - n² is what one more occurrence adds to the square.
      squares += weight[grams[i]!]! * (2 * count[grams[i]!]!++ + 1);
    }
  }
  for (const grams of lists) for (let i = 0; i < grams.length; i++) count[grams[i]!] = 0;
  return Math.sqrt(squares);
}
