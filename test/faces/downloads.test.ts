import { expect, test } from 'vitest';
import { type CsvColumn, writeCsvLines } from '../../src/faces/downloads.ts';
import { measureCpuMs } from '../helpers/cpu-time.ts';

interface Row {
  readonly text: string | null;
  readonly count: number;
  readonly at: Date;
}

const columns: CsvColumn<Row>[] = [
  { heading: 'Text', value: ({ text }) => text },
  { heading: 'Count', value: ({ count }) => count },
  { heading: 'At', value: ({ at }) => at },
];
const at = new Date('2026-11-21T08:09:10.011Z');

async function write(...texts: (string | null)[]): Promise<string[]> {
  async function* rows() {
    for (const text of texts) yield { text, count: -3, at };
  }
  const lines: string[] = [];
  for await (const line of writeCsvLines(columns, rows())) lines.push(line);
  return lines;
}

test('a heading with the mark of UTF-8, then a line a row', async () => {
  expect(await write('plain', null)).toEqual([
    '\u{feff}Text,Count,At\r\n',
    'plain,-3,2026-11-21T08:09:10.011Z\r\n',
    ',-3,2026-11-21T08:09:10.011Z\r\n',
  ]);
});

test('what separates cells is quoted', async () => {
  const [, line] = await write('say "no",\nor yes');
  expect(line).toBe('"say ""no"",\nor yes",-3,2026-11-21T08:09:10.011Z\r\n');
});

test.each(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])(
  'a cell that begins with %j is no formula',
  async (start) => {
    const [, line] = await write(`${start}1+cmd|' /C calc'!A0`);
    expect(line!.replace(/^"/, '').startsWith(`'${start}1`)).toBe(true);
  },
);

test('a sign within a text stays as it is', async () => {
  const [, line] = await write('a=b');
  expect(line).toMatch(/^a=b,/);
});

test.each([
  ['a;=1+1', "a;'=1+1"],
  ['a;\u00a0 =1+1;b;-2', "a;'\u00a0 =1+1;b;'-2"],
  ['a\t@sum', "a\t'@sum"],
  ['a\n+1', "a\n'+1"],
  ['a;"=1', 'a;\'"=1'],
  ['a;＝1', "a;'＝1"],
  [' =1', "' =1"],
  ['"=1', '\'"=1'],
])('where a program splits at other signs, %j is no formula', async (text, safe) => {
  const [, line] = await write(text);
  expect(line!.startsWith(`"${safe.replaceAll('"', '""')}"`) || line!.startsWith(`${safe},`)).toBe(true);
});

test('what separates and begins no formula stays as it is', async () => {
  const [, line] = await write('a; b;\tc');
  expect(line!.startsWith('a; b;\tc,')).toBe(true);
});

test('blanks and quotes without end are read in no time', async () => {
  const writeAll = () => write(' '.repeat(100_000), '"'.repeat(100_000), ' "'.repeat(50_000), '\n'.repeat(100_000));
  expect(await measureCpuMs(writeAll)).toBeLessThan(1_000);
});

test('rows are read as they are written', async () => {
  let read = 0;
  async function* rows() {
    for (; read < 1000; read++) yield { text: 'x', count: read, at };
  }
  const lines = writeCsvLines(columns, rows())[Symbol.asyncIterator]();
  await lines.next();
  await lines.next();
  expect(read).toBeLessThan(2);
});
