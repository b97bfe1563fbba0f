import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { embeddedWords } from './embedded-words.ts';
import { createRandom, pick } from './random.ts';

export const languages = ['en', 'fr'] as const;
export type Language = (typeof languages)[number];

/** The words of many real texts, in their order, by language; documents are spliced from runs of them. */
export type SourceTexts = Readonly<Record<Language, readonly (readonly string[])[]>>;

const WORD = /[\p{L}\p{N}]+/gu;

/** Texts of the starter catalog, or else of the embedded word lists. */
export function readSourceTexts(): { texts: SourceTexts; from: string } {
  const texts: Record<Language, string[][]> = { en: [], fr: [] };
  for (const file of findFiles()) {
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      if (line === '') continue;
      const { lang, title, description, keywords } = JSON.parse(line) as CatalogLine;
      if (lang !== 'en' && lang !== 'fr') continue;
      const words = [title, (keywords ?? []).join(' '), description].join(' ').match(WORD);
      if (words !== null) texts[lang].push(words);
    }
  }
  if (texts.en.length >= 100 && texts.fr.length >= 100) return { texts, from: 'data/objects' };
  return { texts: { en: shuffled('en'), fr: shuffled('fr') }, from: 'embedded words' };
}

interface CatalogLine {
  readonly lang?: string;
  readonly title?: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
}

function findFiles(): string[] {
  const folder = join('data', 'objects');
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => join(folder, name));
}

function shuffled(language: Language): string[][] {
  const random = createRandom(7);
  const words = embeddedWords[language];
  return Array.from({ length: 400 }, () => Array.from({ length: 50 }, () => pick(random, words)));
}
