import { setTimeout as sleep } from 'node:timers/promises';
import type { AdminBrowser, FormFields, FormFile } from '../../test/faces/admin/admin-browser.ts';
import { createAdminBrowser } from '../../test/faces/admin/admin-browser.ts';
import { type Hostile, hostiles } from '../../test/hostile/hostile-files.ts';
import { placeHostile } from '../../test/hostile/read-hostile.ts';
import { required } from '../required.ts';
import type { Lane } from './lanes.ts';
import type { DrawWords } from './words.ts';

interface AdminDeps {
  readonly url: string;
  readonly owner: AdminBrowser;
  readonly password: string;
  readonly draw: DrawWords;
}

const OBJECTS = 3_000;
/** Time in which hosts load what was imported. */
const LIVE_SECONDS = 20;
const HOSTILE_BYTES = 1_000_000;
const LONGEST_IMPORT_SECONDS = 600;

const pages = [
  ...['', '/tenants', '/tenants/default', '/tenants/default/upstream', '/tenants/default/defaults'],
  ...['/keys', '/registrations', '/workspaces', '/feedback', '/catalogue', '/catalogue/links'],
  ...['/imports', '/audit', '/admins', '/system', '/account'],
];

/** What administrators do; every import that goes live is undone. */
export function createAdminLanes({ url, owner, password, draw }: AdminDeps): readonly Lane[] {
  async function signIn(): Promise<void> {
    const somebody = createAdminBrowser(url);
    const answer = await somebody.post('/sign-in', { name: 'admin', password });
    if (answer.status !== 303) throw new Error(`signing in was answered with ${answer.status}`);
    await somebody.page('');
    await somebody.post('/sign-out');
  }

  async function importObjects(turn: number): Promise<void> {
    const rows = Array.from({ length: OBJECTS }, (_, at) => {
      const [title, description] = [draw(4), draw(25)];
      return `https://soak.example.org/${turn}/${at},"${title}","${description}"\n`;
    });
    const file = { name: 'soak.csv', content: `url,title,description\n${rows.join('')}` };
    const ended = await runImport(owner, { format: 'objects', name: 'soak' }, file);
    if (ended.state !== 'Published') throw new Error(`an import ended as ${ended.state}`);
    await sleep(LIVE_SECONDS * 1_000);
    await undo(owner, ended.path);
  }

  async function importHostile(turn: number): Promise<void> {
    // Neighbours are alike.
    const hostile = required(hostiles[(turn * 7) % hostiles.length], 'hostile file');
    const { state, path } = await runHostile(owner, hostile);
    const isRead = !('refused' in hostile.ends);
    if (isRead !== (state === 'Published')) throw new Error(`${hostile.name} ended as ${state}`);
    if (isRead) await undo(owner, path);
  }

  return [
    { name: 'sign-in', everySeconds: 20, act: signIn },
    {
      name: 'admin page',
      everySeconds: 1,
      act: async (turn) => void (await owner.page(required(pages[turn % pages.length], 'page'))),
    },
    { name: 'import and undo', everySeconds: 120, act: importObjects },
    { name: 'hostile file', everySeconds: 300, act: importHostile },
  ];
}

/** Has the host load what it needs so seldom that it may load it at any minute: the detection of
 *  languages (29 MB of heap), and what a small import needs of the starter catalogue (13 MB). */
export async function loadRareParts({ url, owner }: Pick<AdminDeps, 'url' | 'owner'>): Promise<void> {
  const text = 'Learners compare how plants and animals adapt to the places in which they live.';
  const tagged = await fetch(`${url}/tags`, { method: 'POST', body: new URLSearchParams({ text }) });
  await tagged.text();
  if (!tagged.ok) throw new Error(`a text was answered with ${tagged.status}`);
  const file = { name: 'one.csv', content: 'url,title\nhttps://soak.example.org/one,One object\n' };
  const { state, path } = await runImport(owner, { format: 'objects', name: 'one' }, file);
  if (state !== 'Published') throw new Error(`an import ended as ${state}`);
  await sleep(LIVE_SECONDS * 1_000);
  await undo(owner, path);
  await sleep(LIVE_SECONDS * 1_000);
}

interface Ended {
  readonly state: string;
  /** Below `/admin`. */
  readonly path: string;
}

async function runHostile(owner: AdminBrowser, hostile: Hostile): Promise<Ended> {
  const fields = { format: hostile.format, name: 'hostile' };
  if (hostile.file !== undefined) {
    const content = required(hostile.content(HOSTILE_BYTES)['/'], 'content');
    const bytes = typeof content === 'string' ? content : new Uint8Array(content);
    return runImport(owner, fields, { name: hostile.file, content: bytes });
  }
  const { request, close } = await placeHostile(hostile, HOSTILE_BYTES);
  try {
    return await runImport(owner, { ...fields, address: request.location }, null);
  } finally {
    await close();
  }
}

/** By the form, and to its end. */
export async function runImport(owner: AdminBrowser, fields: FormFields, file: FormFile | null): Promise<Ended> {
  const form = { address: '', langs: '', name: '', mode: 'begin', ...fields };
  const begun = await owner.postFile('/imports/new', form, file);
  const text = await begun.text();
  if (begun.status === 422) return { state: 'asked again', path: '' };
  if (begun.status !== 303) throw new Error(`an import was answered with ${begun.status}: ${text}`);
  const path = (begun.headers.get('location') ?? '').slice('/admin'.length);
  for (let waited = 0; waited < LONGEST_IMPORT_SECONDS; waited++) {
    const page = await owner.page(path);
    if (!page.includes('data-import-text'))
      return { state: /<p><span class="state [^"]*">([^<]+)</.exec(page)?.[1] ?? '', path };
    await sleep(1_000);
  }
  throw new Error(`an import of ${String(fields.format)} does not end`);
}

async function undo(owner: AdminBrowser, path: string): Promise<void> {
  await owner.follow(await owner.post(`${path}/undo`));
}
