import { createRandom, pick } from '../corpus/random.ts';
import { readSourceTexts } from '../corpus/source-texts.ts';

/** So many neighbouring words of a text that the starter catalogue has, others each time. */
export type DrawWords = (count: number) => string;

export function createWords(seed: number): DrawWords {
  const random = createRandom(seed);
  const { en, fr } = readSourceTexts().texts;
  return (count) => {
    const text = pick(random, random() < 0.6 ? en : fr);
    const start = Math.floor(random() * Math.max(1, text.length - count));
    return text.slice(start, start + count).join(' ');
  };
}
