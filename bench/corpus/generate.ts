import type { ObjectDocument } from '../../src/engine/objects/types.ts';
import { below, createRandom, pick, type Random } from './random.ts';
import type { Language, SourceTexts } from './source-texts.ts';
import { createTail, type Tail, vocabularySize } from './vocabulary.ts';

/** Four kinds, equally common: a filter on one of them keeps a quarter. */
export const types = ['course', 'video', 'ebook', 'tutorial'] as const;
const blooms = ['remember', 'understand', 'apply', 'analyze', 'evaluate', 'create'];
const PROVIDERS = 40;
const PUBLISHERS = 300;
const ENGLISH_SHARE = 0.6;
/** Ten years, in days since the year 0. */
export const FIRST_DAY = 736_330;
export const DAYS = 3_650;
/** Of all words. */
const TAIL_SHARE = 0.2;

/** The same documents for the same number and texts, one after the other.
 *  Shape: about 42 postings each: a title of 4 to 8 words, 4 keywords, a description of 28 to 52
 *  words, names. */
export function* generateDocuments(count: number, texts: SourceTexts): Generator<ObjectDocument> {
  const random = createRandom(20_26);
  const tailOf = (language: Language): Tail => createTail(texts[language].flat(), vocabularySize(count) / 2);
  const tails: Record<Language, Tail> = { en: tailOf('en'), fr: tailOf('fr') };
  for (let i = 0; i < count; i++) {
    const lang = random() < ENGLISH_SHARE ? 'en' : 'fr';
    yield makeDocument(i, lang, random, (words) => splice(words, texts[lang], tails[lang], random));
  }
}

/** The same as it comes out of a file: what is generated is put together of pieces of other texts,
 *  and takes longer to read. */
export function readAgain(documents: readonly ObjectDocument[]): ObjectDocument[] {
  return JSON.parse(JSON.stringify(documents)) as ObjectDocument[];
}

function makeDocument(i: number, lang: Language, random: Random, write: (words: number) => string): ObjectDocument {
  const provider = `provider-${Math.floor(PROVIDERS * random() ** 2)}`;
  return {
    id: `https://${provider}.example/${lang}/objects/${i.toString(36)}`,
    title: write(4 + below(random, 5)),
    keywords: Array.from({ length: 4 }, () => write(1)),
    description: write(28 + below(random, 25)),
    publishers: [`Publisher ${below(random, PUBLISHERS)}`],
    authors: [],
    lang,
    provider,
    types: [pick(random, types)],
    blooms: [pick(random, blooms)],
    level: Math.round(random() * 20 - 10) / 10,
    minutes: 10 + below(random, 600),
    popularity: random() ** 3,
    free: random() < 0.5,
    ...(i % 2 === 0 && { marks: ['mayShare', 'mayAdapt'] as const }),
    day: FIRST_DAY + ((7_919 * i) % DAYS),
  };
}

/** Runs of 3 to 8 words of real texts, with rare words strewn in. */
function splice(length: number, texts: readonly (readonly string[])[], tail: Tail, random: Random): string {
  const words: string[] = [];
  while (words.length < length) {
    const text = pick(random, texts);
    const start = below(random, text.length);
    words.push(...text.slice(start, start + Math.min(3 + below(random, 6), length - words.length)));
  }
  return words.map((word) => (random() < TAIL_SHARE ? tail.draw(random) : word)).join(' ');
}
