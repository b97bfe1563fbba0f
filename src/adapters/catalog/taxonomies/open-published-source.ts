import type { ImportSource } from '#ports/imports';
import { readHeadText } from '../files/source-file.ts';
import type { SourceFiles } from '../files/source-files.ts';
import type { RowsOptions } from '../tables/open-table.ts';
import { isCasePackage, readCasePackage } from './case.ts';
import { createPublishedSource } from './published-taxonomy.ts';
import { findRdfSyntax } from './rdf.ts';
import { readSkos } from './skos.ts';

const READABLE = /\.(?:ttl|turtle|nt|n3|rdf|owl|skos|xml|jsonld|json)$/i;

/** Opens SKOS (Turtle, RDF/XML, JSON-LD) or a CASE package. Null where the source is neither. */
export async function openPublishedSource(
  { files, fingerprint }: SourceFiles,
  options: RowsOptions,
): Promise<ImportSource | null> {
  const [file, ...others] = files.length === 1 ? files : files.filter(({ name }) => READABLE.test(name));
  if (file === undefined || others.length > 0) return null;
  const head = await readHeadText(file);
  const { langs } = options;
  const syntax = findRdfSyntax(file, head);
  const open = { ...options, fingerprint };
  if (syntax !== null) return createPublishedSource(file, open, (signal) => readSkos(file, syntax, { langs, signal }));
  if (!isCasePackage(head)) return null;
  return createPublishedSource(file, open, (signal) => readCasePackage(file, { langs, signal }));
}
