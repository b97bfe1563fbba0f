import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { refuseHugeTable } from '../../../src/adapters/catalog/tables/open-table.ts';

type SourceFile = Parameters<typeof refuseHugeTable>[0];

const toFile = (name: string, text: string): SourceFile => ({
  name,
  path: name,
  sizeBytes: text.length,
  open: async () => Readable.from([Buffer.from(text)]),
  assertUnchanged: async () => undefined,
});

const check = (rows: string) =>
  refuseHugeTable(toFile('courses.ods', ''), toFile('content.xml', `<table:table>${rows}</table:table>`));

const cell = (attributes = '') => `<table:table-cell ${attributes}><text:p>x</text:p></table:table-cell>`;
const row = (cells: string, attributes = '') => `<table:table-row ${attributes}>${cells}</table:table-row>`;

test.each([
  ['a cell repeated', row(cell('table:number-columns-repeated="16385"'))],
  ['two cells repeated', row(cell('table:number-columns-repeated="16384"').repeat(2))],
  ['a cell after many empty ones', row(`<table:table-cell table:number-columns-repeated="16384"/>${cell()}`)],
  ['covered cells', row('<table:covered-table-cell table:number-columns-repeated="99999"/>')],
  ['rows repeated', row(cell('table:number-columns-repeated="9"'), 'table:number-rows-repeated="1000000"')],
  ['many rows repeated', row(cell(), 'table:number-rows-repeated="1000000"').repeat(6)],
  ['another prefix', '<t:table-row><t:table-cell t:number-columns-repeated="16385">x</t:table-cell></t:table-row>'],
  ['a tag sign in an attribute', row(cell('a=">" table:number-columns-repeated="16385"'))],
])('refuses a sheet with %s', async (_, rows) => {
  await expect(check(rows)).rejects.toMatchObject({
    code: 'IMPORT_INVALID',
    message: expect.stringContaining('repeats cells so often'),
  });
});

test.each([
  ['an empty rest of a row', row(`${cell()}<table:table-cell table:number-columns-repeated="16383"/>`)],
  [
    'an empty rest of a sheet',
    row('<table:table-cell table:number-columns-repeated="16384"/>', 'table:number-rows-repeated="1048000"'),
  ],
  ['values repeated', row(cell('table:number-columns-repeated="3"'), 'table:number-rows-repeated="100"')],
])('reads a sheet with %s', async (_, rows) => {
  await expect(check(rows)).resolves.toBeUndefined();
});
