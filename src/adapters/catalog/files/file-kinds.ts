import { AppError } from '#errors';

type Kind = readonly [sign: RegExp, name: string, advice: string];

const TABLE = 'Put what it lists into a table (CSV UTF-8, .xlsx or .ods) with a row for each.';
const PAGE = 'Publish it where it is used, and put its address and title into a table.';
const RDF = 'A taxonomy in it (SKOS) is imported as taxonomy.';
const INTERFACE = 'It describes an interface, not what can be learnt.';

/** Documents in ZIP files, recognised by a file in them. */
const packages: readonly Kind[] = [
  [/^word\/document\.xml$/, 'a Word document (.docx)', TABLE],
  [/^ppt\/presentation\.xml$/, 'a PowerPoint presentation (.pptx)', TABLE],
  [/^h5p\.json$/, 'an H5P activity (.h5p)', PAGE],
  [/^imsmanifest\.xml$/, 'a course package (Common Cartridge .imscc, SCORM or IMS)', PAGE],
  [/^moodle_backup\.xml$/, 'a Moodle backup (.mbz)', PAGE],
  [/^META-INF\/container\.xml$/, 'an e-book (.epub)', PAGE],
  [/^Index\/Document\.iwa$|^index\.apxl$/, 'a document of Numbers, Pages or Keynote', 'Export it as CSV.'],
  [/^xl\/workbook\.bin$/, 'a binary Excel workbook (.xlsb)', 'Save it as .xlsx or CSV UTF-8.'],
];

/** Files recognised by their first bytes, after the declaration and comments of XML. */
const beginnings: readonly Kind[] = [
  [/^%PDF-/, 'a PDF document', TABLE],
  [/^\xd0\xcf.\xe0/s, 'an old Office file (.xls, .doc or .ppt)', 'Save it as .xlsx or CSV UTF-8.'],
  [/^\p{Cc}\x8b/u, 'a packed file (gzip, .tar.gz or .mbz)', 'Unpack it first.'],
  [/^7z\xbc|^Rar!|^BZh|^\xfd7zXZ/, 'a packed file (7z, RAR, bzip2 or xz)', 'Unpack it, or pack it as ZIP.'],
  [/^SQLite format 3/, 'a SQLite database', 'Export its table as CSV UTF-8.'],
  [/^\x89PNG|^\xff\xd8\xff|^GIF8|^RIFF....WEBP/, 'a picture', TABLE],
  [/^\{\\rtf/, 'a Rich Text document (.rtf)', TABLE],
  [/^PAR1/, 'a Parquet file', 'Export it as CSV UTF-8 or JSON Lines.'],
  [/^(?:#[^\n]*\n\s*)*(?:@prefix|@base|PREFIX|BASE)\s/, 'RDF in Turtle', RDF],
  [/^(?:<[^>\s]+>|_:\S+)\s+<[^>\s]+>\s/, 'RDF in N-Triples', RDF],
  [/^<rdf:RDF\b/, 'RDF in XML', RDF],
  [/^<(?:rss|feed|opml)\b/, 'a feed, or a list of feeds (OPML)', 'Import it as feed.'],
  [/^<(?:urlset|sitemapindex)\b/, 'a sitemap', 'Import its address as lrmi.'],
  [/^<!doctype html|^<html\b/i, 'a web page', 'Import its address as lrmi, or its table as CSV UTF-8.'],
  [/^<[a-z][\w:.-]*[\s>/]/i, 'an XML file', 'Convert it to a table, or import its address as feed, oai or lrmi.'],
];

/** JSON documents recognised by a name at their top. */
const documents: readonly Kind[] = [
  [/^CF(?:Items|Document)$/, 'a CASE package (CFItems)', 'It is imported as taxonomy.'],
  [/^(?:openapi|swagger)$/, 'an OpenAPI document', INTERFACE],
  [
    /^@(?:graph|context)$/,
    'JSON-LD',
    'Learning objects in JSON-LD (schema.org) are imported as lrmi, SKOS as taxonomy.',
  ],
  [/^conformsTo$/, 'an xAPI profile', TABLE],
  [/^\$schema$/, 'a JSON Schema, or a document of one', 'Write one object a line (JSON Lines).'],
];

/** Null for a ZIP file that is not a workbook. @param paths the files in it */
export function findWorkbookKind(paths: readonly string[]): 'xlsx' | 'ods' | null {
  if (paths.includes('xl/workbook.xml')) return 'xlsx';
  return paths.includes('content.xml') && paths.includes('mimetype') ? 'ods' : null;
}

/** Throws IMPORT_INVALID for a ZIP file that is a document of another program. */
export function refusePackageKind(name: string, paths: readonly string[]): void {
  refuseFileKind(`${name} is`, packages, paths);
}

/** Throws IMPORT_INVALID for a file of a known kind that is neither a table nor JSON.
 *  @param head its first bytes in Latin-1 */
export function refuseTextKind(name: string, head: string): void {
  refuseFileKind(`${name} is`, beginnings, [head.replace(/^(?:\xef\xbb\xbf|\s|<\?xml[^>]*>|<!--[\s\S]*?-->)+/, '')]);
}

/** Throws IMPORT_INVALID for a JSON document of a standard, which is not a list of rows. */
export function refuseDocumentKind(name: string, names: readonly string[]): void {
  refuseFileKind(`${name} is a single JSON document, not a list of rows: here`, documents, names);
}

function refuseFileKind(subject: string, kinds: readonly Kind[], texts: readonly string[]): void {
  const kind = kinds.find(([sign]) => texts.some((text) => sign.test(text)));
  if (kind === undefined) return;
  const [, name, advice] = kind;
  throw new AppError('IMPORT_INVALID', `${subject} ${name}, which is not read. ${advice}`);
}
