import { AppError } from '#errors';

/** Kinds of ZIP files by a file that each of them has. */
const packages: readonly (readonly [entry: RegExp, what: string, advice: string])[] = [
  [/^word\/document\.xml$/, 'a Word document (.docx)', table()],
  [/^ppt\/presentation\.xml$/, 'a PowerPoint presentation (.pptx)', table()],
  [/^h5p\.json$/, 'an H5P activity (.h5p)', page('Publish it')],
  [
    /^imsmanifest\.xml$/,
    'a course package (Common Cartridge .imscc, SCORM or IMS)',
    page('Open it in your LMS'),
  ],
  [/^moodle_backup\.xml$/, 'a Moodle backup (.mbz)', page('Restore it in Moodle')],
  [/^META-INF\/container\.xml$/, 'an e-book (.epub)', page('Publish it')],
  [
    /^Index\/Document\.iwa$|^index\.apxl$/,
    'a document of Numbers, Pages or Keynote',
    'Export it as Excel or CSV.',
  ],
  [/^xl\/workbook\.bin$/, 'a binary Excel workbook (.xlsb)', 'Save it as .xlsx or CSV UTF-8.'],
];

function table(): string {
  return 'Put what it lists into a table (CSV UTF-8, .xlsx or .ods) with a row for each.';
}

function page(act: string): string {
  return `${act}, and put its address and title into a table (CSV UTF-8, .xlsx or .ods).`;
}

/** Kinds of other files by how they begin. */
const beginnings: readonly (readonly [begins: RegExp, what: string, advice: string])[] = [
  [/^%PDF-/, 'a PDF document', table()],
  [/^\xd0\xcf.\xe0/s, 'an old Office file (.xls, .doc or .ppt)', 'Save it as .xlsx or CSV UTF-8.'],
  [/^\p{Cc}\x8b/u, 'a packed file (gzip, .tar.gz or .mbz)', 'Unpack it first.'],
  [
    /^7z\xbc\xaf|^Rar!|^BZh|^\xfd7zXZ/,
    'a packed file (7z, RAR, bzip2 or xz)',
    'Unpack it, or pack it as ZIP.',
  ],
  [/^SQLite format 3/, 'a SQLite database', 'Export its table as CSV UTF-8.'],
  [/^\x89PNG|^\xff\xd8\xff|^GIF8|^RIFF....WEBP/, 'a picture', table()],
  [/^\{\\rtf/, 'a Rich Text document (.rtf)', table()],
  [/^PAR1/, 'a Parquet file', 'Export it as CSV UTF-8 or JSON Lines.'],
  [
    /^\s*(?:#[^\n]*\n\s*)*(?:@prefix|@base|PREFIX|BASE)\s/,
    'RDF in Turtle',
    'Convert it to a table with the columns id, label:en and broader.',
  ],
  [
    /^\s*(?:<[^>\s]+>|_:\S+)\s+<[^>\s]+>\s/,
    'RDF in N-Triples',
    'Convert it to a table with the columns id, label:en and broader.',
  ],
  [
    /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<rdf:RDF\b/,
    'RDF in XML',
    'Convert it to a table with the columns id, label:en and broader.',
  ],
  [
    /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<(?:rss|feed|opml)\b/,
    'a feed, or a list of feeds (OPML)',
    'Import it as feed.',
  ],
  [
    /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<(?:urlset|sitemapindex)\b/,
    'a sitemap',
    'Import its address as lrmi.',
  ],
  [
    /^\s*(?:<\?xml[^>]*>\s*)?<!doctype html|^\s*<html\b/i,
    'a web page',
    'Import its address as lrmi, or save its table as CSV UTF-8.',
  ],
  [
    /^\s*<\?xml|^\s*<[a-z]\w*[\s>]/i,
    'an XML file',
    'Convert it to a table (CSV UTF-8), or import its address as feed, oai or lrmi.',
  ],
];

/** Kinds of JSON documents by a name at their top. */
const documents: readonly (readonly [name: string, what: string, advice: string])[] = [
  [
    'CFItems',
    'a CASE package (CFItems)',
    'Write its items into a table with the columns id, label:en and broader.',
  ],
  [
    'CFDocument',
    'a CASE package (CFDocument)',
    'Write its items into a table with the columns id, label:en and broader.',
  ],
  ['openapi', 'an OpenAPI document', 'It describes an interface, not what can be learnt.'],
  ['swagger', 'an OpenAPI document', 'It describes an interface, not what can be learnt.'],
  ['@graph', 'JSON-LD', 'Learning objects in JSON-LD (schema.org) are imported as lrmi.'],
  ['@context', 'JSON-LD', 'Learning objects in JSON-LD (schema.org) are imported as lrmi.'],
  ['conformsTo', 'an xAPI profile', 'Write its concepts into a table with the columns id and label:en.'],
  ['$schema', 'a JSON Schema, or a document of one', 'Write one object a line (JSON Lines).'],
];

/** The paths in a ZIP file that make it a workbook: of Excel, or of LibreOffice (`.ods`). */
export function findWorkbookKind(paths: readonly string[]): 'xlsx' | 'ods' | null {
  if (paths.includes('xl/workbook.xml')) return 'xlsx';
  return paths.includes('content.xml') && paths.includes('mimetype') ? 'ods' : null;
}

/** Errors: IMPORT_INVALID for a ZIP file that is a document of another program. */
export function refusePackage(name: string, paths: readonly string[]): void {
  const kind = packages.find(([entry]) => paths.some((path) => entry.test(path)));
  if (kind !== undefined) throw createKindError(name, kind);
}

/** Errors: IMPORT_INVALID for a file that is neither a table nor JSON.
 *  @param head its first bytes, each as a character */
export function refuseKind(name: string, head: string): void {
  const kind = beginnings.find(([begins]) => begins.test(head));
  if (kind !== undefined) throw createKindError(name, kind);
}

/** Errors: IMPORT_INVALID for a JSON document of a standard that is no list of rows. */
export function refuseDocument(name: string, names: readonly string[]): void {
  const kind = documents.find(([each]) => names.includes(each));
  if (kind === undefined) return;
  throw createKindError(name, [kind[0], `one JSON document, here ${kind[1]}, and no list of rows`, kind[2]]);
}

function createKindError(name: string, [, what, advice]: readonly [unknown, string, string]): AppError {
  return new AppError('IMPORT_INVALID', `${name} is ${what}, which is not read. ${advice}`);
}
