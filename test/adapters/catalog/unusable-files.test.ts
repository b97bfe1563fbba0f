import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderWith, openSource, readAll } from './read-all.ts';

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
  ['a JSON array', 'a.json', '[{"url":"https://a.example"}]', /one object a line .*not one array/],
  ['an array over several lines', 'a.jsonl', '\uFEFF[\n{}\n]', /one object a line .*not one array/],
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
