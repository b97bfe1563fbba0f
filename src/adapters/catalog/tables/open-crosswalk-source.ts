import type { ImportSource } from '#ports/imports';
import type { ConceptLink } from '../catalog-schema.ts';
import { isConceptId, readEscoConceptId, toConceptLinks } from '../concept-parts.ts';
import { readSourceHeadText } from '../files/source-file.ts';
import type { SourceFiles } from '../files/source-files.ts';
import { type ColumnSpec, readColumnNames } from './columns.ts';
import { openRowSource, type RowsOptions } from './open-table.ts';
import { type RowOutcome, readEachRow, readRowCell, refuseRow, type SourceRow } from './row-reader.ts';

export const crosswalkColumns: ColumnSpec = readColumnNames('crosswalk', ['from', 'to']);

/** Names of relations. In SKOS the target of `broadMatch` is the broader concept. */
const relationNames = {
  sameAs: ['', 'sameas', 'exactmatch', 'equivalent', 'equivalentclass', 'equivalentproperty'],
  related: ['related', 'hasdbxref', 'seealso', 'closematch', 'relatedmatch'],
  broader: ['broader', 'broadmatch', 'subclassof'],
  narrower: ['narrower', 'narrowmatch'],
} satisfies Partial<Record<ConceptLink | 'narrower', readonly string[]>>;
const relations = new Map(
  Object.entries(relationNames).flatMap(([link, names]) =>
    names.map((name) => [name, link as keyof typeof relationNames] as const),
  ),
);

/** Opens a table of links between concepts, by ids or addresses. Errors: IMPORT_INVALID. */
export async function openCrosswalkSource(source: SourceFiles, options: RowsOptions): Promise<ImportSource> {
  const prefixes = await readCrosswalkPrefixes(source);
  return openRowSource(source, options, {
    format: 'crosswalk',
    columns: crosswalkColumns,
    createReader: () => readEachRow((row) => toCrosswalkOutcome(row, prefixes)),
  });
}

type Prefixes = ReadonlyMap<string, string>;

/** Reads prefixes of ids from the comments of SSSOM (`curie_map`).
 *  Source: https://mapping-commons.github.io/sssom/ */
async function readCrosswalkPrefixes({ files: [file] }: SourceFiles): Promise<Prefixes> {
  const head = file === undefined ? '' : await readSourceHeadText(file);
  const lines = head.split('\n').filter((line) => line.startsWith('#'));
  const matches = lines.map((line) => /^#\s+([\w.-]+):\s*["']?(https?:\/\/[^"'\s]+)/.exec(line));
  return new Map(matches.flatMap((match) => (match === null ? [] : [[match[1] ?? '', match[2] ?? ''] as const])));
}

function toCrosswalkOutcome({ fields }: SourceRow, prefixes: Prefixes): RowOutcome {
  if (/^not$/i.test(readRowCell(fields.modifier)))
    return refuseRow('says that the two are not so related, which cannot be kept');
  const from = readCrosswalkConcept(readRowCell(fields.from), prefixes);
  const to = readCrosswalkConcept(readRowCell(fields.to), prefixes);
  if (from === null || to === null)
    return refuseRow(`${from === null ? 'from' : 'to'} is neither an id, as esco:skill.0005c151, nor an address`);
  const link = relations.get(simplifyCrosswalkRelation(readRowCell(fields.relation)));
  if (link === undefined)
    return refuseRow(
      `relation is "${readRowCell(fields.relation).slice(0, 40)}": write exactMatch, closeMatch, broadMatch or narrowMatch`,
    );
  if (from === to) return refuseRow('from and to are the same concept');
  return link === 'narrower' ? toCrosswalkLink(to, 'broader', from) : toCrosswalkLink(from, link, to);
}

/** Makes a link as a part of the concept with an id: the other one may have an address only. */
function toCrosswalkLink(from: string, link: ConceptLink, to: string): RowOutcome {
  const isReversed = !isConceptId(from) && isConceptId(to) && link !== 'broader';
  const [id, target] = isReversed ? [to, from] : [from, to];
  if (!isConceptId(id))
    return refuseRow('neither side is an id, nor an address of ESCO: write the id of one of the two concepts');
  return toConceptLinks(id, link, { prefix: `${link}:`, targets: [target] });
}

function readCrosswalkConcept(text: string, prefixes: Prefixes): string | null {
  const [, prefix = '', code = ''] = /^([\w.-]+):(.+)$/.exec(text) ?? [];
  const address = prefixes.has(prefix) ? `${prefixes.get(prefix)}${code}` : text;
  const escoId = readEscoConceptId(address);
  if (escoId !== null) return escoId;
  if (isConceptId(text)) return text;
  return /^https?:\/\//.test(address) && URL.canParse(address) ? address : null;
}

function simplifyCrosswalkRelation(relation: string): string {
  return relation
    .toLowerCase()
    .replace(/^[\w-]+:(?!\/)|^.*[#/]/, '')
    .replace(/[\s_-]+/g, '');
}
