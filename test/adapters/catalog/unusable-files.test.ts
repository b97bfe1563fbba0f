import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderWith, openSource, readAll } from './read-all.ts';
import { writeZip } from './write-zip.ts';

async function refusalOf(name: string, content: string | Buffer): Promise<string> {
  const location = join(folderWith({ [name]: content }), name);
  const read = openSource('objects', location).then((source) => readAll(source));
  return read.then(
    () => 'not refused',
    (error: Error) => error.message,
  );
}

test.each([
  ['nothing at all', 'a.csv', '', /^a\.csv is empty/],
  ['blank lines', 'a.txt', '\n\n', /^a\.txt is empty/],
  ['one JSON document', 'a.json', '{\n "a": {\n "b": 1 }\n}', /^a\.json is a single JSON document.*one object a line/],
  ['a CASE package', 'a.json', '{\n"CFDocument": {},\n"CFItems": [{}]\n}', /is a single JSON document.*CASE package/],
  ['an OpenAPI document', 'a.json', '{"openapi":\n"3.1.0", "paths": {}}', /OpenAPI/],
  ['JSON-LD', 'a.json', '{\n"@context": "https://schema.org", "@graph": []}', /JSON-LD.*as lrmi/],
  ['a PDF document', 'a.pdf', '%PDF-1.7\n', /^a\.pdf is a PDF document, which is not read\. Put/],
  ['an old workbook', 'a.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /old Office file \(\.xls/],
  ['a packed file', 'a.mbz', Buffer.from('1f8b0800', 'hex'), /packed file \(gzip/],
  ['Turtle', 'a.ttl', '# ours\n@prefix skos: <http://x.example/> .\n', /RDF in Turtle/],
  ['RDF in XML', 'a.rdf', '<?xml version="1.0"?>\n<rdf:RDF xmlns:rdf="x">', /RDF in XML/],
  ['a web page', 'a.csv', '<!DOCTYPE html><html>', /a web page/],
  ['a feed', 'a.xml', '<?xml version="1.0"?><rss version="2.0">', /a feed.*Import it as feed/],
  ['a Word document', 'a.docx', writeZip({ 'word/document.xml': '<w/>' }), /^a\.docx is a Word document/],
  ['a Common Cartridge', 'a.imscc', writeZip({ 'imsmanifest.xml': '<m/>' }), /^a\.imscc is a course package/],
  [
    'an H5P activity',
    'a.h5p',
    writeZip({ 'h5p.json': '{}', 'content/content.json': '{}' }),
    /^a\.h5p is an H5P activity/,
  ],
  [
    'a workbook without a sheet',
    'a.xlsx',
    writeZip({ '[Content_Types].xml': '', 'xl/workbook.xml': '' }),
    /^a\.xlsx is an Excel workbook/,
  ],
  ['UTF-16 as Windows writes it', 'a.csv', Buffer.from('\uFEFFurl,title\n', 'utf16le'), /is UTF-16 text/],
  ['UTF-16 of the other order', 'a.csv', Buffer.from('\uFEFFurl\n', 'utf16le').swap16(), /is UTF-16 text/],
  ['Latin-1', 'a.csv', Buffer.from('url,title\na,é\n', 'latin1'), /is not UTF-8 text.*WINDOWS-1252/],
])('%s is refused in words of its own', async (_what, name, content, message) => {
  expect(await refusalOf(name, content)).toMatch(message);
});

test('of a ZIP file that is cut short the message ends its sentence once', async () => {
  const cut = Buffer.from('PK\u0003\u0004 and no more');
  expect(await refusalOf('a.zip', cut)).toMatch(/truncated\. Pack it again/);
});
