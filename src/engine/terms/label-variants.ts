import type { ConceptKind } from './types.ts';

const PARENTHESIS = /\s*\([^()]*\)/g;

/** What people write for a label that says more: `Java (computer programming)` is `Java`, and each side of
 *  `boulanger / boulangère` stands alone. Sides of unequal length share words (`chef/cheffe de projet`), so they do not. */
export function variantsOf(label: string, kind: ConceptKind): string[] {
  const bare = label.replace(PARENTHESIS, '').trim();
  const variants = bare !== label && bare !== '' ? [bare] : [];
  if (kind !== 'occupation' || !bare.includes('/')) return variants;
  const sides = bare.split('/').map((side) => side.trim());
  const lengths = new Set(sides.map((side) => side.split(/\s+/).length));
  return lengths.size === 1 && sides.every((side) => side.length >= 3) ? [...variants, ...sides] : variants;
}
