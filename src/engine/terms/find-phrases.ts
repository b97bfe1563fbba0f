import type { OpenTerms } from './concept-view.ts';
import { isNamedBy, type WindowContent } from './name-check.ts';
import { descend, endOfOwners, enterTrie } from './sequence-trie.ts';
import type { AddFound } from './tag-collector.ts';
import { NONE } from './term-data.ts';
import { PHRASE_BONUS } from './weights.ts';

/** Find labels whose stems are a stretch of the window; a label of one word must be that word. */
export function findPhrases(terms: OpenTerms, content: WindowContent, add: AddFound): void {
  for (let start = 0; start < content.terms.length; start++) {
    if (content.terms[start] !== NONE) findPhrasesAt(terms, content, start, add);
  }
}

function findPhrasesAt(terms: OpenTerms, content: WindowContent, start: number, add: AddFound): void {
  const { phrases, labels, vocabulary } = terms;
  const sequence = content.terms;
  const maxIdf = vocabulary.maxIdf[content.lang]!;
  const name = { inCapitals: content.inCapitals, hasWord: (word: number) => word === content.words[start] };
  let node = enterTrie(phrases, sequence[start]!);
  for (let at = start + 1; node.low < node.high; at++) {
    const isOneWord = at === start + 1;
    const end = endOfOwners(phrases, node);
    for (let entry = node.low; entry < end; entry++) {
      const label = phrases.owner[entry]!;
      if (isOneWord && !isNamedBy(terms, label, name)) continue;
      const mass = labels.mass[label]! / maxIdf;
      add({ label, strength: mass + PHRASE_BONUS * Math.min(1, mass), whole: true, isOneWord });
    }
    const next = sequence[at];
    if (next === undefined || next === NONE) break;
    node = descend(phrases, node, next);
  }
}
