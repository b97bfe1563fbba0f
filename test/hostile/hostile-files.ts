import { gzipSync } from 'node:zlib';
import type { ImportFormat } from '../../src/domain/catalog.ts';
import { writeZip } from '../adapters/catalog/write-zip.ts';

/** Content that somebody may put on the web, or send, to freeze whoever reads it. */
export interface Hostile {
  readonly name: string;
  readonly format: ImportFormat;
  /** What stands where; `/` is what is read. A file has no other. */
  content(size: number): Readonly<Record<string, string | Buffer>>;
  /** How the reading ends: with this refusal, with two rows of which one is refused like this, or
   *  with so many objects. */
  readonly ends: { readonly refused: RegExp } | { readonly rejected: RegExp } | { readonly objects: number };
  /** Name of the file where it is read from one. */
  readonly file?: string;
}

const item = (inner: string) => `<item><title>A</title><link>https://a.example/1</link>${inner}</item>`;
const rss = (inner: string) => `<rss version="2.0"><channel><title>T</title>${inner}</channel></rss>`;
const oai = (inner: string) =>
  `<OAI-PMH><Identify><repositoryName>R</repositoryName></Identify><ListMetadataFormats><metadataFormat><metadataPrefix>oai_dc</metadataPrefix></metadataFormat></ListMetadataFormats>${inner}</OAI-PMH>`;
const course = '{"@type":"Course","name":"Weaving","url":"https://a.example/weaving"}';
const page = (inner: string) => `<!doctype html><script type="application/ld+json">${course}</script>${inner}`;
const escaped = (html: string) => html.replaceAll('<', '&lt;');
const attributes = (count: number) => Array.from({ length: count }, (_, n) => `a${n}="1"`).join(' ');
const shortWords = (count: number) => Array.from({ length: count }, (_, n) => n.toString(36));
const inEveryLanguage = (words: readonly string[]) => {
  const lists: Record<string, string[]> = {};
  for (const [n, word] of words.entries()) {
    const place = n % 676;
    const lang = String.fromCharCode(97 + Math.floor(place / 26), 97 + (place % 26));
    lists[lang] ??= [];
    lists[lang].push(word);
  }
  return lists;
};
const turtle = '@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n';
const rdf = (inner: string) =>
  `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:s="http://s.example/">${inner}`;
/** A workbook with these rows. */
function writeWorkbook(rows: string): Buffer {
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const relation = (what: string, target: string) =>
    `<Relationships><Relationship Id="rId1" Type="${type}/${what}" Target="${target}"/></Relationships>`;
  return writeZip({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relation('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': '<workbook><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relation('worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  });
}
/** Two of which the first has these fields. */
const concepts = (fields: object) =>
  [{ id: 'a:1', ...fields }, { id: 'a:2' }]
    .map((own) => JSON.stringify({ source: 'A', labels: { en: 'Weaving' }, ...own }))
    .join('\n');
/** Two rows of a workbook; `before` stands before the second. */
const twoRows = (before: string) => {
  const row = (...cells: readonly string[]) =>
    `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`;
  return writeWorkbook(`${row('url', 'title')}${before}${row('https://a.example/1', 'Weaving')}`);
};
const object = '{"url":"https://a.example/1","title":"Weaving"}';
const deep = /more than 256 deep/;
const wide = /more than 64 attributes/;

export const hostiles: readonly Hostile[] = [
  {
    name: 'a workbook with a long comment',
    format: 'objects',
    file: 'comment.xlsx',
    content: (size) => ({ '/': twoRows(`<!--${'<!-'.repeat(size)}-->`) }),
    ends: { objects: 1 },
  },
  {
    name: 'a workbook with a long section of characters',
    format: 'objects',
    file: 'cdata.xlsx',
    content: (size) => ({ '/': twoRows(`<row><c><v><![CDATA[${']]'.repeat(size)}]]></v></c></row>`) }),
    ends: { rejected: /cannot be opened in a browser/ },
  },
  {
    name: 'a workbook with a cell far to the right in each row',
    format: 'objects',
    file: 'right.xlsx',
    content: (size) => ({ '/': twoRows('<row><c r="XFD1" t="str"><v> </v></c></row>'.repeat(size / 1_000)) }),
    ends: { objects: 1 },
  },
  {
    name: 'a list of numbers',
    format: 'objects',
    file: 'numbers.json',
    content: (size) => ({ '/': `[${'1,'.repeat(Math.max(size, 60_000))}1]` }),
    ends: { refused: /has 50000 rows that cannot be used/ },
  },
  {
    name: 'an object of many names',
    format: 'objects',
    file: 'names.json',
    content: (size) => ({
      '/': `[{${Array.from({ length: Math.max(size / 8, 6_000) }, (_, n) => `"k${n}":1`).join()}},${object}]`,
    }),
    ends: { rejected: /has more than 5000 names/ },
  },
  {
    name: 'a document of many lists',
    format: 'objects',
    file: 'lists.json',
    content: (size) => ({
      '/': `{${Array.from({ length: size / 8 }, (_, n) => `"k${n}":[{}],`).join('')}"o":[${object},${object}]}`,
    }),
    ends: { rejected: /the address is that of line/ },
  },
  {
    name: 'a page that nests',
    format: 'lrmi',
    content: (size) => ({ '/': page('<div>'.repeat(size / 5)) }),
    ends: { refused: deep },
  },
  {
    name: 'a page with an element of many attributes',
    format: 'lrmi',
    content: (size) => ({ '/': page(`<div ${attributes(size / 8)}>`) }),
    ends: { refused: wide },
  },
  {
    name: 'a page of a site that nests',
    format: 'lrmi',
    content: (size) => ({
      '/': '<urlset><url><loc>ORIGIN/deep</loc></url><url><loc>ORIGIN/good</loc></url></urlset>',
      '/deep': page('<b>'.repeat(size / 3)),
      '/good': page(''),
    }),
    ends: { rejected: deep },
  },
  {
    name: 'JSON-LD that nests',
    format: 'lrmi',
    content: (size) => ({ '/': `${'['.repeat(size / 2)}${']'.repeat(size / 2)}` }),
    ends: { refused: /describes no learning resource/ },
  },
  {
    name: 'a sitemap that nests',
    format: 'lrmi',
    content: (size) => ({ '/': `<urlset>${'<url>'.repeat(size / 5)}` }),
    ends: { refused: deep },
  },
  {
    name: 'a packed sitemap that unpacks to far more',
    format: 'lrmi',
    // Always more than the 16 MiB that are read of it.
    content: (size) => ({ '/': gzipSync(Buffer.alloc(17 * 2 ** 20 + size * 100, '<urlset>')) }),
    ends: { refused: /more than 256 deep|describes no learning resource/ },
  },
  {
    name: 'rules for programs with endless wildcards',
    format: 'lrmi',
    content: (size) => ({
      '/robots.txt': `User-agent: *\n${`Disallow: /${'*a'.repeat(50)}b\n`.repeat(Math.min(size, 500_000) / 113)}`,
      '/': page(''),
    }),
    ends: { refused: /more rules with wildcards/ },
  },
  {
    name: 'a feed that nests',
    format: 'feed',
    content: (size) => ({ '/': rss(item(`<a>${'<b>'.repeat(size / 3)}`)) }),
    ends: { refused: deep },
  },
  {
    name: 'a feed behind something else that nests',
    format: 'feed',
    content: (size) => ({ '/': `<x/> ${rss(item(`<a>${'<b>'.repeat(size / 3)}`))}` }),
    ends: { refused: deep },
  },
  {
    name: 'a feed with an element of many attributes',
    format: 'feed',
    content: (size) => ({ '/': rss(item(`<x ${attributes(size / 8)}/>`)) }),
    ends: { refused: wide },
  },
  {
    name: 'a feed whose descriptions nest',
    format: 'feed',
    content: (size) => ({
      '/': rss(item(`<description>Weave. ${escaped('<div>'.repeat(size / 8))}</description>`)),
    }),
    ends: { objects: 1 },
  },
  {
    name: 'a feed with entities of entities',
    format: 'feed',
    content: (size) => ({
      '/': `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;">]>${rss(
        item(`<description>${'&c;'.repeat(size / 3)}</description>`),
      )}`,
    }),
    ends: { objects: 1 },
  },
  {
    name: 'a repository whose answer nests',
    format: 'oai',
    content: (size) => ({ '/': oai(`<ListRecords>${'<a>'.repeat(size / 3)}`) }),
    ends: { refused: deep },
  },
  {
    name: 'a table of blank lines',
    format: 'objects',
    file: 'blank.csv',
    content: (size) => ({ '/': `url,title\n${'\n'.repeat(size)}https://a.example/1,Weaving\n` }),
    ends: { objects: 1 },
  },
  {
    name: 'a packed table of blank lines as on old Macs',
    format: 'objects',
    file: 'blank.zip',
    content: (size) => ({
      '/': writeZip({ 'blank.csv': `url,title\r${'\r'.repeat(size)}https://a.example/1,Weaving\r` }),
    }),
    ends: { objects: 1 },
  },
  {
    name: 'a table with a quote that is never closed',
    format: 'objects',
    file: 'quote.csv',
    content: (size) => ({ '/': `url,title\n"${'a\n'.repeat(size / 2 + (size > 100_000 ? 2_200_000 : 0))}` }),
    ends: { refused: /is not closed, or a row of more than 4 MB/ },
  },
  {
    name: 'a workbook whose list of texts unpacks to far more',
    format: 'objects',
    file: 'texts.xlsx',
    // Always more than the 128 MB that a part may have.
    content: (size) => ({
      '/': writeZip({
        '[Content_Types].xml': '<Types/>',
        'xl/workbook.xml': '<workbook/>',
        'xl/sharedStrings.xml': Buffer.alloc(129 * 2 ** 20 + size, '<si/>'),
      }),
    }),
    ends: { refused: /sharedStrings\.xml is larger than 128 MB unpacked/ },
  },
  {
    name: 'a workbook that tells no size of a part',
    format: 'objects',
    file: 'sizes.xlsx',
    content: (size) => ({
      '/': writeZip(
        { 'xl/workbook.xml': '<workbook/>', 'xl/sharedStrings.xml': Buffer.alloc(size, '<si/>') },
        { claimedBytes: 0 },
      ),
    }),
    ends: { refused: /the size of .* is missing/ },
  },
  {
    name: 'a workbook whose header is in a row that no sheet has',
    format: 'objects',
    file: 'far.xlsx',
    content: (size) => ({
      '/': writeWorkbook(`<row r="1e${Math.min(size, 300)}"><c t="str"><v>url</v></c></row>`),
    }),
    ends: { refused: /lacks the column title/ },
  },
  {
    name: 'a workbook with a row of repeated cells',
    format: 'objects',
    file: 'repeats.ods',
    content: (size) => ({
      '/': writeZip({
        mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
        'content.xml': `<office:document-content><office:body><office:spreadsheet><table:table table:name="S"><table:table-row>${'<table:covered-table-cell table:number-columns-repeated="16384"/>'.repeat(Math.max(10_000, size / 65))}</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>`,
      }),
    }),
    ends: { refused: /repeats cells so often/ },
  },
  {
    name: 'a line that never ends',
    format: 'objects',
    file: 'endless.jsonl',
    content: (size) => ({ '/': `{"url":"${'a'.repeat(size + 4_200_000)}` }),
    ends: { refused: /a line of more than 4 MB/ },
  },
  {
    name: 'a table in another encoding',
    format: 'objects',
    file: 'utf16.csv',
    content: (size) => ({ '/': Buffer.from(`\ufeffurl,title\n${'é\n'.repeat(size / 4)}`, 'utf16le') }),
    ends: { refused: /is UTF-16 text/ },
  },
  {
    name: 'a table of bytes that are no text',
    format: 'objects',
    file: 'bytes.csv',
    content: (size) => ({ '/': Buffer.alloc(size, 0xff) }),
    ends: { refused: /is not UTF-8 text/ },
  },
  {
    name: 'a concept that names more concepts than there are',
    format: 'taxonomy',
    file: 'links.jsonl',
    content: (size) => ({ '/': concepts({ links: { related: shortWords(size / 7) } }) }),
    ends: { rejected: /links\.jsonl[:,]1.*related names [\d,]+ concepts, and 2,000 are the most/ },
  },
  {
    name: 'a concept with synonyms in every language',
    format: 'taxonomy',
    file: 'synonyms.jsonl',
    content: (size) => ({ '/': concepts({ altLabels: inEveryLanguage(shortWords((size + 300_000) / 7)) }) }),
    ends: { rejected: /synonyms\.jsonl[:,]1.*take [\d,]+ KB, and 256 are the most/ },
  },
  {
    name: 'a concept whose id never ends',
    format: 'taxonomy',
    file: 'id.jsonl',
    content: (size) => ({ '/': concepts({ id: `a:${'x'.repeat(size)}`, kind: 'none' }) }),
    ends: { rejected: /id\.jsonl[:,]1.*is not an id/ },
  },
  {
    name: 'Turtle with a text that never ends',
    format: 'taxonomy',
    file: 'text.ttl',
    content: (size) => ({ '/': `${turtle}<a:a> skos:prefLabel """${'x '.repeat(size * 3)}` }),
    ends: { refused: /text\.ttl (?:has a statement of more than 4 MB|cannot be read as RDF)/ },
  },
  {
    name: 'Turtle with nodes in nodes',
    format: 'taxonomy',
    file: 'nodes.ttl',
    content: (size) => ({ '/': `${turtle}<a:a> skos:related ${'[ skos:related '.repeat(size)}` }),
    ends: { refused: /nodes\.ttl (?:has a statement of more than 4 MB|cannot be read as RDF)/ },
  },
  {
    name: 'RDF/XML with entities of entities',
    format: 'taxonomy',
    file: 'laughs.rdf',
    content: (size) => ({ '/': `<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(size / 3)}">]>${rdf('&b;')}` }),
    ends: { refused: /laughs\.rdf declares entities/ },
  },
  {
    name: 'RDF/XML that is very deep',
    format: 'taxonomy',
    file: 'deep.rdf',
    content: (size) => ({ '/': rdf('<rdf:Description><s:p>'.repeat(size)) }),
    ends: { refused: /deep\.rdf is nested more than 100 levels deep/ },
  },
  {
    name: 'JSON-LD that is very deep',
    format: 'taxonomy',
    file: 'deep.jsonld',
    content: (size) => ({ '/': `{"@context":{},"@graph":${'[{"a":'.repeat(size)}` }),
    ends: { refused: /deep\.jsonld is nested more than 100 levels deep/ },
  },
  {
    name: 'a SKOS concept with more related ones than there are',
    format: 'taxonomy',
    file: 'related.ttl',
    content: (size) => ({
      '/': `${turtle}<a:b> a skos:Concept ; skos:prefLabel "b"@en .\n<a:a> a skos:Concept ; skos:prefLabel "a"@en ; skos:related ${shortWords(
        size / 7,
      )
        .map((word) => `<a:${word}>`)
        .join(', ')} .`,
    }),
    ends: { rejected: /a:a.*related names [\d,]+ concepts, and 2,000 are the most/ },
  },
  {
    name: 'a crosswalk to an address that never ends',
    format: 'crosswalk',
    file: 'crosswalk.csv',
    content: (size) => ({
      '/': `from,to\na:1,https://a.example/${'x'.repeat(size)}\na:1,https://a.example/2\n`,
    }),
    ends: { rejected: /crosswalk\.csv[:,]2.*sameAs names .*https.*more than 2,000 characters/ },
  },
];

/** Of one sitemap of it: nearly the 16 MiB that are read of one. */
export const BUSY = 16_000_000;

/** A site whose sitemaps, 900 of them, each keep a reader busy for long. */
export const busySite: Hostile = {
  name: 'a site with large sitemaps',
  format: 'lrmi',
  content: (size) => {
    const named = Array.from({ length: 900 }, (_, n) => `<sitemap><loc>ORIGIN/packed?${n}</loc></sitemap>`);
    return {
      '/': `<sitemapindex>${named.join('')}</sitemapindex>`,
      '/packed?': gzipSync(`<urlset>${'<url/>'.repeat(size / 6)}`),
    };
  },
  ends: { refused: /nothing/ },
};
