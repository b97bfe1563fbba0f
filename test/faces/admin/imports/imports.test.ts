import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SignedInBrowser } from '../start-admin.ts';
import { type RunningAdmin, startAdmin } from '../start-admin.ts';

const HEADER = 'url,title,description\n';
const row = (n: number, title = `Course ${n}`) => `https://courses.example.org/${n},${title},About ${title}\n`;
const objects = (from: number, to: number) =>
  HEADER + Array.from({ length: to - from + 1 }, (_, i) => row(from + i)).join('');

let admin: RunningAdmin;
let owner: SignedInBrowser;
beforeAll(async () => {
  admin = await startAdmin();
  owner = await admin.signInAs('owner');
});
afterAll(() => admin.close());

const uploadsOf = ({ deps }: RunningAdmin) => {
  const folder = join(deps.system.dataDir, 'uploads');
  return existsSync(folder) ? readdirSync(folder) : [];
};

/** Sends the form and gives the path of the import it began. */
async function begin(name: string, content: string, more: Record<string, string> = {}): Promise<string> {
  const fields = { format: 'objects', address: '', langs: '', name: '', mode: 'begin', ...more };
  const answer = await owner.postFile('/imports/new', fields, { name, content });
  expect(answer.status).toBe(303);
  const path = answer.headers.get('location')!.replace(/^\/admin/, '');
  await expect.poll(() => stateOf(path)).not.toBe('Running');
  return path;
}

const stateOf = async (path: string) => /<p><span class="state [^"]*">([^<]+)</.exec(await owner.page(path))?.[1];
const countOf = (page: string, name: string) => new RegExp(`<dt>${name}</dt><dd>([^<]*)</dd>`).exec(page)?.[1];

describe('an import on the admin page', () => {
  test('a file: its counts, in the history, and nothing of it left behind', async () => {
    const path = await begin('Spring courses.csv', `${objects(1, 3)}not-an-address,Broken,\n`);
    const page = await owner.page(path);
    expect(await stateOf(path)).toBe('Published');
    expect(page).toContain('<h1>Spring courses.csv</h1>');
    expect([countOf(page, 'Rejected rows'), countOf(page, 'Changed')]).toEqual(['1', '0']);
    // Objects, and not their provider.
    expect(countOf(page, 'Added')).toBe('3');
    expect(page).toMatch(/Spring courses\.csv:5|spring-courses/);
    expect(await owner.page('/imports')).toContain(`href="/admin${path}">Spring courses.csv<`);
    await expect.poll(() => uploadsOf(admin)).toEqual([]);
  });

  test('one that is checked first shows what it would change, and counts when it is accepted', async () => {
    await begin('checked.csv', objects(50, 51) + row(52));
    const changed = `${objects(50, 50)}${row(52, 'Course anew')}${row(53)}nowhere,Broken,\n`;
    const path = await begin('checked.csv', changed, { mode: 'check' });
    expect(await stateOf(path)).toBe('Checked');
    const page = await owner.page(path);
    const counts = ['Added', 'Changed', 'Removed', 'Rejected rows'].map((name) => countOf(page, name));
    expect(counts).toEqual(['1', '1', '1', '1']);
    expect(page).toMatch(/Course anew<br>.*changed<br><span class="quiet">title, description/);
    expect(page).toMatch(/Course 51<br>.*removed/);
    const viewer = await admin.signInAs('viewer');
    expect(await viewer.page(path)).not.toContain('Publish');
    expect((await owner.post(`${path}/accept`, {})).status).toBe(303);
    expect(await stateOf(path)).toBe('Published');
    expect((await owner.post(`${path}/accept`, {})).status).toBe(409);
  });

  test('a new version of a taxonomy waits, even where it is to be imported at once, and says what it withdraws', async () => {
    const skos = (...lines: string[]) => `@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n${lines.join('\n')}`;
    const line = (code: string, label: string) =>
      `<https://acme.example/${code}> a skos:Concept ; skos:prefLabel "${label}"@en .`;
    const taxonomy = { format: 'taxonomy', name: 'acme-skills' };
    const live = await begin('acme.ttl', skos(line('a', 'welding'), line('b', 'riveting')), taxonomy);
    expect(await stateOf(live)).toBe('Published');
    const path = await begin('acme.ttl', skos(line('a', '<b>arc</b> welding'), line('c', 'gluing')), taxonomy);
    expect(await stateOf(path)).toBe('Checked');
    const page = await owner.page(path);
    expect(['Renamed', 'Merged', 'Withdrawn'].map((name) => countOf(page, name))).toEqual(['1', '0', '1']);
    expect(page).toMatch(/riveting<br><code class="light">acme-skills:b<\/code><\/td><td>Withdrawn/);
    expect(page).toContain('&lt;b&gt;arc&lt;/b&gt; welding');
    const csv = await (await owner.get(`${path}/concepts.csv`)).text();
    expect(csv).toMatch(/acme-skills:b,riveting,withdrawn/);
    await owner.post(`${path}/accept`, {});
    expect(await stateOf(path)).toBe('Published');
  });

  test('what is not understood in a row is guessed and said; the row is not lost', async () => {
    const content = `url,title,type,lang\nhttps://courses.example.org/guess,A talk,Conférence filmée (video),xx-none\n`;
    const path = await begin('guesses.csv', content, { langs: 'fr' });
    const page = await owner.page(path);
    expect([countOf(page, 'Added'), countOf(page, 'Accepted with a guess')]).toEqual(['1', '1']);
    expect(page).toMatch(/type is &quot;conférence filmée \(video\)&quot;: taken as video/);
  });

  test('lists the columns of tables, and gives a template that can be imported', async () => {
    const page = await owner.page('/imports/new');
    expect(page).toContain('<code>learningTime</code>');
    for (const format of ['objects', 'taxonomy', 'crosswalk']) {
      const template = await owner.get(`/imports/new/template/${format}`);
      expect(template.headers.get('content-disposition')).toContain(`${format}.csv`);
      const path = await begin(`${format}.csv`, await template.text(), { format, mode: 'check' });
      expect(await stateOf(path)).toBe('Checked');
      expect(countOf(await owner.page(path), 'Added')).toBe('1');
    }
    expect((await owner.get('/imports/new/template/esco')).status).toBe(303);
  });

  test('the same once more changes nothing; undone, what was before counts again', async () => {
    const first = await begin('winter.csv', objects(10, 12));
    const same = await begin('winter.csv', objects(10, 12));
    expect(await stateOf(same)).toBe('No changes');
    const changed = await begin('winter.csv', objects(10, 11) + row(13));
    expect(await stateOf(changed)).toBe('Published');
    const version = await admin.deps.imports.getImport(changed.split('/').at(-1)!);
    expect(version.counts).toMatchObject({ added: 1, removed: 1 });
    // Each leads to the one after it.
    const next = /Later import of this dataset: <a href="([^"]+)">Import \d+</;
    const after = async (path: string) => next.exec(await owner.page(path))?.[1];
    expect([await after(first), await after(same)]).toEqual([`/admin${same}`, `/admin${changed}`]);
    expect(await after(changed)).toBeUndefined();
    // Only the newest one is offered to be taken back.
    expect(await owner.page(changed)).toContain(`${changed}/undo`);
    expect(await owner.page(first)).not.toContain(`${first}/undo`);
    expect((await owner.get(`${first}/undo`)).status).toBe(303);
    expect(await owner.page(`${changed}/undo`)).toContain('The record it removed comes back.');
    const answer = await owner.post(`${changed}/undo`);
    expect(await owner.follow(answer)).toContain('Import undone.');
    expect(await stateOf(changed)).toBe('Undone');
    expect((await owner.post(`${changed}/undo`)).status).toBe(409);
    expect(await stateOf(first)).toBe('Published');
  });

  test('one that brought nothing says why', async () => {
    const [header = ''] = objects(1, 1).split('\n');
    const empty = await owner.page(await begin('empty.csv', `${header}\n`));
    expect(empty).toContain('the source has no rows');
    const broken = await owner.page(await begin('broken.csv', `${header}\nnot-an-address,Broken,\n`));
    expect(broken).toContain('all rows were rejected');
  });

  test('one whose process ended without a word is broken off', async () => {
    const path = await begin('broken.csv', objects(30, 32));
    const live = await admin.deps.imports.getImport(path.split('/').at(-1)!);
    const running = { ...live, state: 'running' as const, endedAt: null, version: live.version + 1 };
    const aliveUntil = new Date(admin.clock.now().getTime() + 1);
    expect(await admin.store.imports.saveImport({ ...running, aliveUntil })).toBe(true);
    expect(await stateOf(path)).toBe('Running');
    admin.clock.advance(2);
    expect(await stateOf(path)).toBe('Interrupted');
    expect(await (await owner.get(`${path}/progress`)).json()).toMatchObject({ isRunning: false });
    expect(await owner.page('/imports')).toContain('>Interrupted<');
  });

  test('progress for the script of the page', async () => {
    const path = await begin('summer.csv', objects(20, 22));
    const view = (await (await owner.get(`${path}/progress`)).json()) as object;
    expect(view).toMatchObject({ isRunning: false, percent: 100 });
  });

  test('a table whose columns are not understood: the whole message, and a step to match them, which is remembered', async () => {
    const content = 'course_id,Was es ist,url,Rating\n1,Welding,https://courses.example.org/900,5\n';
    const fields = { format: 'objects', address: '', langs: '', name: 'matched', mode: 'check' };
    const send = async (more: Record<string, string | readonly string[]> = {}) =>
      owner.postFile('/imports/new', { ...fields, ...more }, { name: 'kurse.csv', content });
    const refused = await send();
    expect(refused.status).toBe(422);
    const page = await refused.text();
    expect(page).toContain('kurse.csv lacks the column title.');
    expect(page).toMatch(/Its unknown columns: (?:"|&quot;)course_id(?:"|&quot;), (?:"|&quot;)Was es ist/);
    expect(page).toContain('<input type="hidden" name="column" value="Was es ist">');
    expect(page).toMatch(/<label for="as-2">url<\/label>\s*<select[^>]*>.*<option value="url" selected>/s);
    await expect.poll(() => uploadsOf(admin)).toEqual([]);

    const shown = await send({ mode: 'match', column: ['Was es ist'], as: ['title'] });
    expect(await shown.text()).toMatch(/<label for="as-1">Was es ist<\/label>.*<option value="title" selected>/s);

    for (const more of [{ column: ['Was es ist', 'Rating'], as: ['title', ''] }, {}]) {
      const begun = await send(more);
      expect(begun.status).toBe(303);
      const path = begun.headers.get('location')!.replace(/^\/admin/, '');
      await expect.poll(() => stateOf(path)).toBe('Checked');
      const checked = await owner.page(path);
      expect(checked).toContain('these columns are not read:');
      expect([countOf(checked, 'Rows read'), countOf(checked, 'Added')]).toEqual(['1', '1']);
    }
  });

  test('a table of many columns with hostile names is matched, as far as anybody would by hand', async () => {
    const odd = [
      '__proto__',
      'constructor',
      'price.$usd',
      '"><script>',
      ...Array.from({ length: 296 }, (_, n) => `c${n}`),
    ];
    const content = `${odd.map((name) => `"${name.replaceAll('"', '""')}"`).join()},was,url\n${odd.map(() => '1').join()},Welding,https://courses.example.org/901\n`;
    const send = async (more: Record<string, string | readonly string[]>) =>
      owner.postFile('/imports/new', { format: 'objects', name: 'wide', ...more }, { name: 'wide.csv', content });
    const page = await (await send({ mode: 'check' })).text();
    expect(page.match(/<select id="as-/g)).toHaveLength(200);
    expect(page).toContain('value="&quot;&gt;&lt;script&gt;"');
    expect(page).not.toContain('imports.fields.');
    // In the order of the page, where the button comes last.
    const column = ['was', ...odd.slice(0, 199)];
    const begun = await send({ column, as: ['title', ...odd.slice(0, 199).map(() => '')], mode: 'check' });
    expect(begun.status).toBe(303);
    const path = begun.headers.get('location')!.replace(/^\/admin/, '');
    await expect.poll(() => stateOf(path)).toBe('Checked');
    expect(countOf(await owner.page(path), 'Added')).toBe('1');
    const more = Array.from({ length: 500 }, () => 'x');
    expect((await send({ column: more, as: more, mode: 'check' })).status).toBe(400);
  });

  test('what is missing or too much is said beside its field, and nothing is kept', async () => {
    const send = async (fields: Record<string, string>, file: { name: string; content: string } | null) => {
      const answer = await owner.postFile('/imports/new', fields, file);
      expect(answer.status).toBe(422);
      return answer.text();
    };
    const address = 'https://example.org/oai';
    const file = { name: 'a.csv', content: 'x' };
    expect(await send({ format: 'objects' }, null)).toContain('Choose the file.');
    expect(await send({ format: 'oai' }, null)).toContain('Enter the address: this source is read from the web.');
    expect(await send({ format: 'feed' }, null)).toContain('Enter the address, or choose a file.');
    const both = await send({ format: 'feed', address, langs: 'english', name: 'Not A Name' }, file);
    expect(both).toContain('You gave both a file and an address.');
    expect(both).toContain(`value="${address}"`);
    const odd = await send({ format: 'objects', address: 'ftp://example.org', langs: 'english', name: 'No!' }, null);
    for (const text of [
      'This isn’t a web address.',
      'Enter two-letter codes separated by spaces, such as “en fr”.',
      'Use lower-case letters',
    ])
      expect(odd).toContain(text);
    expect(await send({ format: 'nothing' }, file)).toContain('Choose the type of source.');
    expect(await send({ format: 'objects' }, { name: 'a.csv', content: 'colour;size\nred;4\n' })).toMatch(/url/);
    await expect.poll(() => uploadsOf(admin)).toEqual([]);
  });

  test('an address that does not answer: the import fails and says why; a file that was chosen before is not kept', async () => {
    const path = await begin('a.csv', 'x', { format: 'oai', address: 'http://127.0.0.1:9/oai' });
    expect(await stateOf(path)).toBe('Failed');
    expect(await owner.page(path)).toMatch(/class="notice warning">Why it stopped: <span lang="en">[^<]*127\.0\.0\.1/);
    await expect.poll(() => uploadsOf(admin)).toEqual([]);
  });

  test('an address is imported again as chosen, unless it may hold a key, until a file counts', async () => {
    const feed = `<rss version="2.0"><channel><title>Talks</title><item><title>One</title>
      <link>https://talks.example.org/1</link></item></channel></rss>`;
    const site = createServer((_, response) => response.end(feed)).listen(0, '127.0.0.1');
    await once(site, 'listening');
    const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/feed`;
    const chosen = { format: 'feed', name: 'talks', rhythm: 'daily', mode: 'begin' };
    const fields = { ...chosen, langs: '', address: `${address}?key=abc` };
    const refused = await owner.postFile('/imports/new', fields, null);
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('values that may be a key');
    const begun = await owner.postFile('/imports/new', { ...fields, address }, null);
    const path = begun.headers.get('location')!.replace(/^\/admin/, '');
    await expect.poll(() => stateOf(path)).toBe('Published');
    site.close();
    expect(await owner.page(path)).toContain(`every day: <span class="whole"><code>${address}<`);
    const file = await begin('talks.xml', feed.replace('One', 'Another'), { ...chosen, rhythm: 'never' });
    expect(await stateOf(file)).toBe('Published');
    for (const each of [path, file]) expect(await owner.page(each)).not.toContain('name="rhythm"');
    expect((await owner.post(`${path}/rhythm`, { rhythm: 'daily' })).status).toBe(409);
  });

  test('is for owners; others see the history; nothing comes in without the form of our page', async () => {
    const manager = await admin.signInAs('manager');
    expect((await manager.get('/imports/new')).status).toBe(403);
    const file = { name: 'a.csv', content: objects(1, 1) };
    const fields = { format: 'objects' };
    expect((await manager.postFile('/imports/new', fields, file)).status).toBe(403);
    expect((await admin.visit().postFile('/imports/new', fields, file)).status).toBe(303);
    const forged = await owner.postFile('/imports/new', fields, file, { csrf: 'another' });
    expect(forged.status).toBe(403);
    const without = await owner.post('/imports/new', fields);
    expect(without.status).toBe(415);
    expect(await manager.page('/imports')).not.toContain('/imports/new');
    expect((await owner.get('/imports/nothing')).status).toBe(404);
    await expect.poll(() => uploadsOf(admin)).toEqual([]);
  });

  test('a name that is markup is text', async () => {
    const path = await begin('<b>x.csv', objects(30, 30));
    expect(await owner.page(path)).toContain('&lt;b&gt;x.csv');
  });

  test('in French', async () => {
    const french = await admin.signInAs('owner', null, { language: 'fr' });
    expect(await french.page('/imports')).toContain('Publiée');
    expect(await french.page('/imports/new')).toContain('Type de source');
  });
});
