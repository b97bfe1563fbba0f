import { foldText } from '#domain/text';
import { type Guide, type GuidePage, toPlainText } from './render-guide.ts';

export interface GuideSection {
  readonly guide: Guide;
  readonly heading: GuidePage['headings'][number];
  readonly sentences: readonly { readonly text: string; readonly folded: string }[];
  /** Title and heading. */
  readonly foldedHeading: string;
  /** Title, heading and sentences. */
  readonly foldedText: string;
}

const MAX_HITS = 20;
const MAX_CANDIDATES = 50;
const MAX_QUERY = 100;
const MAX_WORDS = 8;
const MAX_SENTENCE = 320;
/** Share of the best score that a section needs to be shown. */
const MIN_SHARE = 0.6;
const WORD = /([\p{L}\p{N}_]+)/u;
const BLOCK_END = /<\/(?:p|li|td|th|pre|h\d)>/;
const SENTENCE_END = /(?<=[.!?:])\s+(?=\p{Lu})/u;

const listWords = (text: string): readonly string[] => foldText(text).match(/[\p{L}\p{N}_]+/gu) ?? [];
const foldWords = (text: string): string => ` ${listWords(text).join(' ')}`;

/** A guide in parts to search. */
export function splitGuide(guide: Guide, { html, headings }: GuidePage): readonly GuideSection[] {
  const parts = html.split(/(?=<h\d id=")/).filter((part) => part.startsWith('<h'));
  return headings.map((heading, at) => {
    const [, ...blocks] = (parts[at] ?? '').split(BLOCK_END);
    const sentences = blocks
      .flatMap((block) => toPlainText(block).replace(/\s+/g, ' ').trim().split(SENTENCE_END))
      .filter((text) => WORD.test(text))
      .map((text) => ({ text, folded: foldWords(text) }));
    const foldedHeading = foldWords(`${guide.title} ${heading.text}`);
    const foldedText = foldedHeading + sentences.map(({ folded }) => folded).join('');
    return { guide, heading, sentences, foldedHeading, foldedText };
  });
}

/** Best first, at most 20 sections, each with its best sentence in pieces; those with `match` begin
 *  with a word of the query. Rare words count most; plurals match. Reads at most 100 characters and
 *  8 words of the query. @example searchGuides(sections, 'client id') */
export function searchGuides(sections: readonly GuideSection[], query: string) {
  const words = listWords(query.slice(0, MAX_QUERY)).map((word) => (word.length > 3 ? word.replace(/s$/, '') : word));
  const roots = [...new Set(words)].slice(0, MAX_WORDS);
  const weights = roots.map((root) => {
    const count = sections.filter(({ foldedText }) => foldedText.includes(` ${root}`)).length;
    return { root: ` ${root}`, weight: Math.log((sections.length + 1) / (count + 0.5)) };
  });
  const weigh = (text: string): number =>
    weights.reduce((sum, { root, weight }) => (text.includes(root) ? sum + weight : sum), 0);
  const candidates = sections
    .map((section) => ({ section, score: weigh(section.foldedText) + weigh(section.foldedHeading) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_CANDIDATES)
    .map(({ section: { guide, heading, sentences }, score }) => {
      const [best] = sentences
        .map(({ text, folded }) => ({ text, weight: weigh(folded) }))
        .sort((a, b) => b.weight - a.weight);
      return { guide, heading, text: best?.text ?? '', score: score + (best?.weight ?? 0) };
    })
    .sort((a, b) => b.score - a.score);
  const least = (candidates[0]?.score ?? 0) * MIN_SHARE;
  return candidates
    .filter(({ score }) => score >= least)
    .slice(0, MAX_HITS)
    .map(({ guide, heading, text }) => ({ guide, heading, pieces: markWords(text, roots) }));
}

function markWords(sentence: string, roots: readonly string[]) {
  const text = sentence.length > MAX_SENTENCE ? `${sentence.slice(0, MAX_SENTENCE).trimEnd()}…` : sentence;
  const isMatch = (word: string) => roots.some((root) => foldText(word).startsWith(root));
  return text.split(WORD).map((piece, at) => ({ text: piece, match: at % 2 === 1 && isMatch(piece) }));
}
