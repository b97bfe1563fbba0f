import { createGrowableUint8, createGrowableUint32 } from '#engine/arrays';
import { buildStringTable } from '#engine/string-table';
import { AppError } from '#errors';
import { type ConceptTable, linkKinds } from '../term-data.ts';
import { type Concept, conceptKinds, type LinkName, linkNames } from '../types.ts';

type LinkColumns = Pick<ConceptTable, 'linkStart' | 'linkTarget' | 'linkKind'>;

/** Kind of the same link seen from its other end. */
const INVERSE: Readonly<Record<LinkName, number>> = {
  broader: linkKinds.narrower,
  narrower: linkKinds.broader,
  related: linkKinds.related,
  sameAs: linkKinds.sameAs,
  essential: linkKinds.essentialFor,
  optional: linkKinds.optionalFor,
};

/** Errors: CATALOG_INVALID when two concepts have one id. */
export function buildConcepts(concepts: readonly Concept[], labelStart: Uint32Array): ConceptTable {
  const sources = [...new Set(concepts.map(({ source }) => source))];
  if (sources.length > 256) {
    throw new AppError(
      'CATALOG_INVALID',
      `There are ${sources.length} taxonomies; one index holds at most 256.`,
    );
  }
  return {
    ids: buildStringTable(concepts.map(({ id }) => id)),
    sources,
    sourceOf: Uint8Array.from(concepts, ({ source }) => sources.indexOf(source)),
    kindOf: Uint8Array.from(concepts, ({ kind }) => conceptKinds.indexOf(kind)),
    labelStart,
    ...buildLinks(concepts),
  };
}

/** Links and their inverses, so that every neighbour is found from either side, whichever side named it. */
function buildLinks(concepts: readonly Concept[]): LinkColumns {
  const ordinals = ordinalsById(concepts);
  const out: Map<number, number>[] = concepts.map(() => new Map());
  // The first name of a pair stays: it is the one its own concept gave.
  const connect = (from: number, to: number, kind: number) => {
    if (from !== to && !out[from]!.has(to)) out[from]!.set(to, kind);
  };
  for (const name of linkNames) {
    for (const [from, { links }] of concepts.entries()) {
      for (const id of links?.[name] ?? []) {
        const to = ordinals.get(id);
        if (to === undefined) continue;
        connect(from, to, linkKinds[name]);
        connect(to, from, INVERSE[name]);
      }
    }
  }
  const linkStart = new Uint32Array(concepts.length + 1);
  const linkTarget = createGrowableUint32();
  const linkKind = createGrowableUint8();
  for (const [from, targets] of out.entries()) {
    for (const [to, kind] of targets) {
      linkTarget.push(to);
      linkKind.push(kind);
    }
    linkStart[from + 1] = linkTarget.length;
  }
  return { linkStart, linkTarget: linkTarget.finish(), linkKind: linkKind.finish() };
}

function ordinalsById(concepts: readonly Concept[]): Map<string, number> {
  const ordinals = new Map<string, number>();
  for (const [ordinal, { id }] of concepts.entries()) {
    if (ordinals.has(id)) {
      throw new AppError(
        'CATALOG_INVALID',
        `Two concepts have the id "${id}"; an id names one concept only.`,
      );
    }
    ordinals.set(id, ordinal);
  }
  return ordinals;
}
