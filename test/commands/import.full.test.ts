import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts';
import { createProgressView, describeProgress, writeProgressDuration } from '../../src/commands/import/progress.ts';
import { createRejectedFile } from '../../src/commands/import/rejected-file.ts';
import type { ImportProgress } from '../../src/services/catalogue/imports/import-records.ts';
import { runProgram, startHostProcess } from '../helpers/host-process.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const counts = { rows: 61_204, rejected: 0, warned: 0, added: 0, changed: 0, unchanged: 0, removed: 0 };

const progress: ImportProgress = {
  phase: 'reading',
  done: 24_100_000,
  total: 42_700_000,
  unit: 'bytes',
  counts,
  resumedFrom: null,
};

describe('progress', () => {
  test('has a bar, amounts, a rate and the time left', () => {
    const gone = { elapsedMs: 10_000, done: 12_050_000, rows: 30_602 };
    expect(describeProgress(progress, gone)).toBe(
      'Reading  [##############----------]   56 %  24.1 of 42.7 MB  61,204 rows, 3,060/s  16 s left',
    );
    const unknown = { ...progress, done: 7, total: null, unit: 'pages', counts: { ...counts, rejected: 2 } };
    expect(describeProgress(unknown, gone)).toBe('Reading  7 pages  61,204 rows, 3,060/s  2 rejected');
  });

  test.each([
    [1, '1 s'],
    [99_000, '99 s'],
    [180_000, '3 min'],
    [7_800_000, '2 h 10 min'],
  ])('%i milliseconds are %s', (milliseconds, text) => expect(writeProgressDuration(milliseconds)).toBe(text));

  function watch(isTTY: boolean) {
    const written: string[] = [];
    let now = 0;
    const view = createProgressView({ isTTY, columns: 30, write: (text) => written.push(text) }, () => now);
    const showAt = (at: number) => {
      now = at;
      view.show(progress);
    };
    return { written, view, showAt };
  }

  test('on a terminal is one line that is redrawn, and never wider', () => {
    const { written, view, showAt } = watch(true);
    for (const at of [0, 150, 160, 300]) showAt(at);
    view.say('Done.');
    expect(written).toHaveLength(4);
    const line = `\r\u001b[K${'Reading  [##############----------]'.slice(0, 29)}`;
    expect(written.slice(0, 2)).toEqual([line, line]);
    expect(written.slice(2)).toEqual(['\n', 'Done.\n']);
  });

  test('elsewhere is a line every five seconds', () => {
    const { written, showAt } = watch(false);
    for (const at of [0, 150, 4_999, 5_000, 5_100, 10_000]) showAt(at);
    expect(written).toHaveLength(2);
    expect(written.every((text) => /^Reading .*\n$/.test(text))).toBe(true);
  });
});

describe('the file of rejected rows', () => {
  test('is created with the first row, replaced by a new import and continued by a resumed one', () => {
    const path = join(makeTempDir(), 'rejected.csv');
    const write = (isResumed: boolean, ...places: string[]) => {
      const file = createRejectedFile(path);
      file.begin(isResumed);
      for (const place of places) file.add({ place, reason: 'is "odd", as is' });
      return file.flush();
    };
    expect(write(false)).toBe(false);
    expect(existsSync(path)).toBe(false);
    expect(write(false, 'a.csv:2')).toBe(true);
    expect(write(false)).toBe(false);
    expect(existsSync(path)).toBe(false);
    expect(write(true, 'a.csv:2')).toBe(true);
    expect(readFileSync(path, 'utf8').split('\r\n')).toHaveLength(3);
    write(false, 'a,b.csv:3', '=evil.csv:4');
    write(true, 'https://a.example/feed');
    expect(readFileSync(path, 'utf8').split('\r\n')).toEqual([
      'file,line,reason',
      '"a,b.csv",3,"is ""odd"", as is"',
      '\'=evil.csv,4,"is ""odd"", as is"',
      'https://a.example/feed,,"is ""odd"", as is"',
      '',
    ]);
  });

  test('does not touch other files, and starts again with the import', () => {
    const path = join(makeTempDir(), 'mine.csv');
    writeFileSync(path, 'url,title\r\n');
    const file = createRejectedFile(path);
    file.begin(false);
    expect(file.flush()).toBe(false);
    expect(readFileSync(path, 'utf8')).toBe('url,title\r\n');
    for (const place of ['a:1', 'a:2']) {
      file.begin(false);
      file.add({ place, reason: 'odd' });
      file.flush();
    }
    expect(readFileSync(path, 'utf8')).toBe('file,line,reason\r\na,2,odd\r\n');
  });

  test('that cannot be written is an error with advice', () => {
    const file = createRejectedFile(join(makeTempDir(), 'no', 'folder.csv'));
    file.begin(false);
    file.add({ place: 'a:1', reason: 'odd' });
    expect(() => file.flush()).toThrow(/--rejected/);
  });
});

// Each command is a process of its own, which takes its time on a busy machine.
describe('import', () => {
  test('says what it would do, does it, keeps the rejected rows, and takes it back', async () => {
    const folder = makeTempDir();
    const env = { DATA_DIR: join(folder, 'var') };
    const file = join(folder, 'acme.csv');
    const rejected = join(folder, 'rejected.csv');
    writeFileSync(file, 'id,label:en,kind\nwelding,welding,\nbrazing,brazing,\n,nobody,\n');
    const command = ['import', 'taxonomy', file, '--name', 'Acme', '--rejected', rejected];

    const dry = await runProgram([...command.slice(0, 5), '--dry-run'], env);
    expect(dry).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /nothing was changed.*rejected +1 .*acme\.csv:4 id is empty.*acme:brazing.*name one with --rejected/s,
      ),
    });
    expect(existsSync('acme-rejected.csv')).toBe(false);

    const { code, stdout, stderr } = await runProgram([...command, '--json'], env);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      number: 1,
      dataset: 'acme',
      state: 'live',
      isDryRun: false,
      counts: { rows: 3, rejected: 1, added: 2 },
    });
    expect(stderr).toContain('The index is ready');
    expect(readFileSync(rejected, 'utf8')).toMatch(/^file,line,reason\r\nacme\.csv,4,id is empty/);

    writeFileSync(file, 'id,label:en,kind\nwelding,arc welding,\nriveting,riveting,\n');
    const waits = await runProgram(command, env);
    expect(waits.stdout).toMatch(
      /not published yet.*1 are renamed, 0 merged into others, and 1 withdrawn.*withdrawn acme:brazing.*imports accept 2/s,
    );
    const accepted = await runProgram(['imports', 'accept', '2'], env);
    expect(accepted).toMatchObject({ code: 0, stdout: expect.stringContaining('Import 2 (acme.csv) is published') });
    expect(await runProgram(['imports', 'undo', '2'], env)).toMatchObject({ code: 0 });

    const undone = await runProgram(['imports', 'undo', '1'], env);
    expect(undone).toMatchObject({ code: 0, stdout: expect.stringContaining('taken back') });
    const list = await runProgram(['imports', 'list', '--json'], env);
    expect(JSON.parse(list.stdout)).toMatchObject([
      { number: 2, state: 'undone' },
      { number: 1, state: 'undone', title: 'acme.csv' },
    ]);
  });

  test('keeps an address from which it could be imported again, as far as the address alone says it', async () => {
    const feed = '<rss version="2.0"><channel><title>Talks</title></channel></rss>';
    const site = createServer((_, response) => response.end(feed)).listen(0, '127.0.0.1');
    await once(site, 'listening');
    const folder = makeTempDir();
    const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/feed`;
    const command = ['import', 'feed', address, '--lang', 'fr', '--name', 'talks'];
    const env = { DATA_DIR: folder, ALLOW_PRIVATE_UPSTREAM: '1' };
    for (const more of [[], ['--provider', 'Acme']])
      expect(await runProgram([...command, ...more], env)).toMatchObject({ code: 0 });
    site.close();
    const store = createSqliteStore(join(folder, 'skilldock.db'));
    const [second, first] = await store.imports.listImportsOf('talks');
    await store.close();
    expect(first).toMatchObject({ origin: { address, langs: ['fr'] }, rhythm: null });
    expect(second).toMatchObject({ origin: null });
  });

  test('stops cleanly with Ctrl+C, and says that the same command goes on', async () => {
    const folder = makeTempDir();
    const env = { ...process.env, DATA_DIR: join(folder, 'var') };
    const file = join(folder, 'large.csv');
    const rows = Array.from({ length: 200_000 }, (_, i) => `a:${i},Label ${i},A`);
    writeFileSync(file, `id,label:en,source\n${rows.join('\n')}`);
    const child = spawn(process.execPath, [resolve('bin/skilldock.js'), 'import', 'taxonomy', file], { env });
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      if (stderr === '') child.kill('SIGINT');
      stderr += chunk;
    });
    const code = await new Promise((done) => child.once('close', done));
    expect({ code, stderr }).toEqual({
      code: 130,
      stderr: expect.stringContaining('the same command goes on'),
    });
    const list = await runProgram(['imports', 'list', '--json'], { DATA_DIR: env.DATA_DIR });
    expect(JSON.parse(list.stdout)).toMatchObject([{ state: 'stopped', dataset: 'large' }]);
  });

  test.each([
    ['a format that there is not', ['import', 'excel', 'a.xlsx'], /Allowed choices are esco/],
    ['a file that is not there', ['import', 'objects', 'nowhere.csv'], /nowhere\.csv is not there/],
    ['an import that there is not', ['imports', 'undo', '7'], /no import 7/],
    ['to stop an import that there is not', ['imports', 'stop', '7'], /no import 7/],
  ])('refuses %s', async (_what, command, message) => {
    const { code, stdout, stderr } = await runProgram(command, { DATA_DIR: join(makeTempDir(), 'var') });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});

test('a running host searches what a command imports', async () => {
  const host = await startHostProcess();
  onTestFinished(async () => void (await host.stop()));
  const table = join(host.dataDir, 'courses.csv');
  writeFileSync(table, 'url,title\nhttps://a.example/baskets,Basketry at dawn\n');
  const imported = await runProgram(['import', 'objects', table], { DATA_DIR: host.dataDir });
  expect(imported).toMatchObject({ code: 0, stderr: expect.stringContaining('The index is ready') });
  const search = async () => (await fetch(`${host.url}/?q=basketry`)).text();
  await expect.poll(search).toContain('https://a.example/baskets');
});
