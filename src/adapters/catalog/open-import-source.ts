import { basename, extname } from 'node:path';
import type { ImportFormat } from '#domain/catalog';
import { omitUndefined } from '#domain/omit-undefined';
import { AppError } from '#errors';
import type { ImportColumn, ImportRequest, ImportSource, ImportSources } from '#ports/imports';
import type { Outbound } from '#ports/outbound';
import { slugifyText } from './plain-text.ts';
import type { ColumnSpec } from './tables/columns.ts';
import { nameWebDataset } from './web/location.ts';

/** Opens sources with readers that are loaded on demand. To add a reader, see CONTRIBUTING.md. */
export function createImportSources({ outbound }: { readonly outbound: Outbound }): ImportSources {
  return {
    async open(request) {
      if (isWebImportFormat(request.format)) return (await import('./web/web.ts')).openWebSource(request, { outbound });
      const choices = omitUndefined({ map: request.map, sheet: request.sheet });
      const source = await openFileSource(request);
      return Object.keys(choices).length === 0 ? source : { ...source, choices };
    },
    nameDataset: nameImportDataset,
    listColumns: listImportColumns,
  };
}

const isWebImportFormat = (format: ImportFormat) => format === 'feed' || format === 'oai' || format === 'lrmi';
const MAX_OTHER_NAMES = 6;

/** Lists the columns of a format; none for a published format. */
export async function listImportColumns(format: ImportFormat): Promise<readonly ImportColumn[]> {
  const spec = await findImportColumns(format);
  const { required = [], aliases = {}, examples = {} } = spec ?? {};
  return Object.entries(examples).map(([name, example]) => ({
    name,
    example,
    isRequired: required.includes(name),
    otherNames: (aliases[name] ?? []).slice(0, MAX_OTHER_NAMES),
  }));
}

async function findImportColumns(format: ImportFormat): Promise<ColumnSpec | null> {
  switch (format) {
    case 'objects':
      return (await import('./tables/open-objects-source.ts')).objectColumns;
    case 'taxonomy':
      return (await import('./tables/open-taxonomy-source.ts')).taxonomyColumns;
    case 'crosswalk':
      return (await import('./tables/open-crosswalk-source.ts')).crosswalkColumns;
    default:
      return null;
  }
}

async function openFileSource(request: ImportRequest): Promise<ImportSource> {
  const { format, location, langs } = request;
  if (/^https?:\/\//i.test(location))
    throw new AppError(
      'IMPORT_INVALID',
      'This format is read from a file. Download it first, and name the file or folder.',
    );
  const title = request.title ?? basename(location);
  const source = await (await import('./files/source-files.ts')).openSourceFiles(location, title);
  const dataset = nameImportDataset(request);
  if (dataset === '')
    throw new AppError('IMPORT_INVALID', 'The name of the data set has no letter. Give it one with --name.');
  const tableRequest = { ...request, dataset, title, name: request.dataset };
  switch (format) {
    case 'esco':
      return (await import('./official/esco.ts')).openEscoSource(source, { dataset, langs });
    case 'onet':
      return (await import('./official/onet.ts')).openOnetSource(source, dataset);
    case 'rome':
      return (await import('./official/rome.ts')).openRomeSource(source, dataset);
    case 'taxonomy': {
      const { openPublishedSource } = await import('./taxonomies/published-taxonomy.ts');
      const published = await openPublishedSource(source, tableRequest);
      return published ?? (await import('./tables/open-taxonomy-source.ts')).openTaxonomySource(source, tableRequest);
    }
    case 'crosswalk':
      return (await import('./tables/open-crosswalk-source.ts')).openCrosswalkSource(source, tableRequest);
    default:
      return (await import('./tables/open-objects-source.ts')).openObjectsSource(source, tableRequest);
  }
}

/** The name of the data set: as requested, else after the format or the file. */
export function nameImportDataset(request: ImportRequest): string {
  const { format, location, dataset, title = basename(location) } = request;
  if (isWebImportFormat(format)) return nameWebDataset(request);
  const isOfficial = format === 'esco' || format === 'onet' || format === 'rome';
  return slugifyText(dataset ?? (isOfficial ? format : title.slice(0, title.length - extname(title).length)));
}
