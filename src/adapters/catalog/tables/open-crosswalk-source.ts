import type { ImportSource } from '#ports/imports';
import type { ConceptLink } from '../catalog-schema.ts';
import { isConceptId, readEscoConceptId, toConceptLinks } from '../concept-parts.ts';
import type { SourceFiles } from '../files/source-files.ts';
import type { ColumnSpec } from './columns.ts';
import { openRows, type RowsOptions } from './open-rows.ts';
import { type Outcome, readEachRow, readTableCell, refuseRow, type SourceRow } from './row-reader.ts';
import { createTableSource } from './table-source.ts';

export const crosswalkColumns: ColumnSpec = {
  required: ['from', 'to'],
  optional: ['relation'],
  aliases: { source: 'from', target: 'to', mapping: 'relation', relationtype: 'relation' },
  examples: { from: 'acme:beekeeping', to: 'skilldock:beekeeping', relation: 'exactMatch' },
};

/** In SKOS the target of `broadMatch` is the broader concept, as with `broader`. */
const relations: Readonly<Record<string, ConceptLink | 'narrower'>> = {
  '': 'sameAs',
  sameas: 'sameAs',
  exactmatch: 'sameAs',
  equivalent: 'sameAs',
  closematch: 'related',
  relatedmatch: 'related',
  related: 'related',
  broadmatch: 'broader',
  broader: 'broader',
  narrowmatch: 'narrower',
  narrower: 'narrower',
};

/** Links between the concepts of taxonomies, by ids or addresses, a row for each. Errors:
 *  IMPORT_INVALID. */
export async function openCrosswalkSource(source: SourceFiles, options: RowsOptions): Promise<ImportSource> {
  const table = await openRows(source, crosswalkColumns);
  return createTableSource({
    format: 'crosswalk',
    dataset: options.dataset,
    title: options.title,
    covers: [''],
    fingerprint: source.fingerprint,
    plans: [{ table, covers: '', createReader: () => readEachRow(toOutcome) }],
  });
}

function toOutcome({ fields }: SourceRow): Outcome {
  const [from, to] = [conceptOf(readTableCell(fields.from)), conceptOf(readTableCell(fields.to))];
  if (from === null || to === null)
    return refuseRow(
      `${from === null ? 'from' : 'to'} is neither an id, as esco:skill.0005c151, nor an address`,
    );
  const link = relations[plain(readTableCell(fields.relation))];
  if (link === undefined)
    return refuseRow(
      `relation is "${readTableCell(fields.relation).slice(0, 40)}": write exactMatch, closeMatch, broadMatch or narrowMatch`,
    );
  if (from === to) return refuseRow('from and to are the same concept');
  return link === 'narrower' ? linkOf(to, 'broader', from) : linkOf(from, link, to);
}

/** A link in both directions is written at the concept with an id, if the other has an address. */
function linkOf(from: string, link: ConceptLink, to: string): Outcome {
  const isReversed = !isConceptId(from) && isConceptId(to) && link !== 'broader';
  const [id, target] = isReversed ? [to, from] : [from, to];
  if (!isConceptId(id))
    return refuseRow(
      'neither side is an id, nor an address of ESCO: write the id of one of the two concepts',
    );
  return toConceptLinks(id, link, { prefix: `${link}:`, targets: [target] });
}

function conceptOf(text: string): string | null {
  const escoId = readEscoConceptId(text);
  if (escoId !== null) return escoId;
  return isConceptId(text) || (/^https?:\/\//.test(text) && URL.canParse(text)) ? text : null;
}

function plain(relation: string): string {
  return relation
    .toLowerCase()
    .replace(/^skos:|^owl:|^.*[#/]/, '')
    .replace(/[\s_-]+/g, '');
}
