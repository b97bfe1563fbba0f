import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminFaceRoutes } from '../../../src/faces/admin/routes.ts';
import type { ImportSource } from '../../../src/ports/imports.ts';
import type { BackupState } from '../../../src/services/host/backups.ts';
import { assistantGrant } from '../../contract/store/assistants.ts';
import { deadLink } from '../../contract/store/link-check-records.ts';
import { link, placement } from '../../contract/store/lti-records.ts';
import { catalogObject, createFakeObjectCatalog } from '../../fakes/object-catalog.ts';
import { createFakeOidc } from '../../fakes/oidc.ts';
import { anyPlatform } from './registrations.ts';
import { anyApp, anyWorkspace } from './slack.ts';
import { operator, type RunningAdmin, type SignedInBrowser, someone, startAdmin } from './start-admin.ts';

/** With a row that cannot be used. */
const oneObject: ImportSource = {
  format: 'objects',
  dataset: 'spring',
  title: '<Spring>',
  covers: [''],
  fingerprint: null,
  total: 2,
  unit: 'rows',
  async *read() {
    const part = {
      kind: 'object',
      key: 'https://example.org/',
      part: '',
      body: { title: '<Title>' },
    } as const;
    const rejected = [{ place: '<spring>.csv:2', reason: 'url is "<script>": write an address' }];
    yield { position: '2', done: 2, rows: 2, parts: [part], rejected };
  },
};

const languages = ['en', 'fr'] as const;
const owners: Partial<Record<(typeof languages)[number], SignedInBrowser>> = {};
let admin: RunningAdmin;
let paths: string[];

beforeAll(async () => {
  admin = await startAdmin({ oidc: createFakeOidc(), catalog: createFakeObjectCatalog([catalogObject()]) });
  const backups: BackupState = {
    path: '/<backups>',
    backups: [{ name: 'b', at: new Date(0), bytes: 1 }],
    problem: { at: new Date(0), message: '<full>' },
    isRunning: false,
    percent: null,
    nextAt: new Date(0),
    keptDays: 14,
  };
  Object.assign(admin.deps.system, { backups: { describe: async () => backups } });
  await admin.addTenant('<Lyon>');
  for (const language of languages) {
    owners[language] = await admin.signInAs('owner', null, { language, name: `<Owner ${language}>` });
  }
  const max = await admin.signInAs('manager', ['default', 'lyon'], { name: '<Max>' });
  const registration = await admin.deps.ltiRegistrations.create(someone, {
    ...anyPlatform,
    tenantId: 'lyon',
    name: '<Platform>',
    clientId: '<Platform client>',
    deploymentIds: ['<Platform deployment>'],
  });
  const workspace = await admin.deps.slackInstallations.install({ ...anyWorkspace, name: '<Workspace>' }, 'lyon');
  await admin.deps.slackCredentials.save(someone, anyApp);
  const { record } = await admin.deps.imports.run(someone, oneObject);
  const { placements, linkChecks } = admin.store;
  const object = { ...placement('a').object, title: '<Dead>', url: 'https://example.org/<dead>' };
  await placements.addPlacements([placement('a', { object })]);
  await placements.openLink(link('a', { title: '<Link>', contextId: '<Course>' }));
  await linkChecks.saveLinkChecks([deadLink(object.url)]);
  await admin.deps.deadLinks.leave(someone, 'lyon', object.url);
  const values: Record<string, string> = {
    ':importId': record!.id,
    ':format': 'objects',
    ':registrationId': registration.id,
    ':tenantId': 'lyon',
    ':workspaceId': workspace.id,
    ':requestId': await askIn(admin),
    ':adminId': max.id,
    ':token': (await admin.deps.links.createResetLink(operator, max.id)).path.split('/').at(-1)!,
    ':linkId': (await admin.deps.links.listLinks())[0]!.id,
    ':keyId': (
      await admin.deps.apiKeys.createApiKey(someone, {
        tenantId: 'lyon',
        name: '<Key>',
        scopes: ['competency'],
        perSecond: 10,
        perDay: 1_000,
        expiresAt: null,
      })
    ).id,
  };
  paths = adminFaceRoutes
    .filter(({ method }) => method === 'get')
    .map(({ path }) => path.replace(/:\w+/g, (name) => values[name] ?? name));
  paths.push(`/tenants/lyon/links?url=${encodeURIComponent(object.url)}`, '/catalogue/links?of=all');
  const { url } = catalogObject();
  const about = `url=${encodeURIComponent(url)}`;
  await admin.deps.objects.hide(someone, { tenantId: 'lyon', forAll: false, url });
  await admin.deps.objects.suggest(someone, {
    tenantId: 'lyon',
    url: `${url}/2`,
    fields: catalogObject().fields,
    atOnce: false,
  });
  paths.push(`/tenants/lyon/objects?${about}`, `/tenants/lyon/objects/edit?${about}`);
});
afterAll(() => admin.close());

/** An assistant with a hostile name asks to be let in, and another one is. */
async function askIn({ deps, store }: RunningAdmin): Promise<string> {
  const { clients, authorizations } = deps.assistants;
  const redirectUri = 'https://a.example/cb';
  const { id } = await clients.register({ name: '<Assistant>', redirectUris: [redirectUri] }, 'address');
  const [owner] = (await store.admins.listAdmins(everyAdmin)).items;
  await store.assistants.addAssistantGrant(
    assistantGrant('a', { adminId: owner!.id, clientName: '<Assistant>', expiresAt: new Date(8e14) }),
  );
  return authorizations.begin({
    address: 'address',
    clientId: id,
    redirectUri,
    responseType: 'code',
    state: undefined,
    scope: undefined,
    resource: undefined,
    codeChallenge: 'x'.repeat(43),
    codeChallengeMethod: 'S256',
  });
}

const everyAdmin = { search: '', sort: 'name', descending: false, page: 0, pageSize: 1 } as const;

/** The pages, by path: every address that answers an owner with one. */
async function readPages(language: (typeof languages)[number]): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  for (const path of paths) {
    const answer = await owners[language]!.get(path);
    if (answer.headers.get('content-type')?.startsWith('text/html')) pages.set(path, await answer.text());
  }
  return pages;
}

describe.each(languages)('every page in %s', (language) => {
  let pages: Map<string, string>;

  beforeAll(async () => {
    pages = await readPages(language);
  });

  /** What is wrong, by path. */
  function findWrong(pattern: RegExp): string[] {
    return [...pages].flatMap(([path, text]) => [...text.matchAll(pattern)].map(([found]) => `${path}: ${found}`));
  }

  test('was read', () => {
    expect(pages.size).toBeGreaterThan(20);
    expect(paths.filter((path) => path.includes(':'))).toEqual([]);
    expect([...pages].filter(([, text]) => !text.includes(`<html lang="${language}">`))).toEqual([]);
  });

  test('has words for everything', () => {
    expect(
      findWrong(/\{\{\w*\}?|>\s*[a-z][a-zA-Z]+(?:\.[a-zA-Z][\w-]+)+\s*</g).filter((each) => !/\d/.test(each)),
    ).toEqual([]);
    expect(findWrong(/(?<!\w)(?:undefined|NaN|\[object Object\]|Invalid Date)(?!\w)/g)).toEqual([]);
  });

  test('has one heading above the others, and leaves none out', () => {
    const wrong = [...pages].filter(([, text]) => {
      const levels = [...text.matchAll(/<h([1-6])\b/g)].map(([, level]) => Number(level));
      return levels[0] !== 1 || levels.some((level, i) => i > 0 && (level === 1 || level > levels[i - 1]! + 1));
    });
    expect(wrong.map(([path]) => path)).toEqual([]);
  });

  test('has neither scripts nor styles that the content security policy forbids', () => {
    expect(
      findWrong(/<script(?! type="module" src="\/assets\/)[^>]*>|<style\b|\sstyle="|\son\w+="|javascript:/g),
    ).toEqual([]);
  });

  test('has no id twice', () => {
    const wrong = [...pages].flatMap(([path, text]) => {
      const ids = [...text.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
      return ids.filter((id, i) => ids.indexOf(id) < i).map((id) => `${path}: ${id}`);
    });
    expect(wrong).toEqual([]);
  });

  test('has what labels and descriptions speak of', () => {
    const wrong = [...pages].flatMap(([path, text]) =>
      [...text.matchAll(/\s(?:for|aria-labelledby|aria-describedby|aria-controls)="([^"]+)"/g)]
        .flatMap(([, ids]) => ids!.split(' '))
        .filter((id) => !text.includes(` id="${id}"`))
        .map((id) => `${path}: ${id}`),
    );
    expect(wrong).toEqual([]);
  });

  test('has a token in every form that changes something', () => {
    const wrong = [...pages].flatMap(([path, text]) =>
      [...text.matchAll(/<form\b[^>]*method="post"[^>]*>[\s\S]*?<\/form>/g)]
        .filter(([form]) => !/name="csrf" value="[\w-]{43}"/.test(form))
        .map(([form]) => `${path}: ${form.slice(0, 80)}`),
    );
    expect(wrong).toEqual([]);
  });

  test('escapes the names that people gave', () => {
    expect(findWrong(/<(?:Lyon|Owner|Max|Key|Platform|Workspace)\b[^>]*>/g)).toEqual([]);
  });
});

test('an auditor finds no button and no link that does not work', async () => {
  const auditor = await admin.signInAs('auditor', null, { name: '<Auditor>' });
  const toPattern = (path: string) => new RegExp(`^/admin${path.replace(/\/$/, '').replace(/:\w+/g, '[^/]+')}$`);
  const findRoute = (method: 'get' | 'post', path: string) =>
    adminFaceRoutes.find((route) => route.method === method && toPattern(route.path).test(path));
  const opens = { get: ['anyone', 'account', 'viewer', 'auditor'], post: ['anyone', 'account'] };
  const dead: string[] = [];
  let pages = 0;
  for (const path of paths.filter((each) => !each.startsWith('/link/'))) {
    const answer = await auditor.get(path);
    if (answer.status !== 200 || !answer.headers.get('content-type')?.startsWith('text/html')) continue;
    pages++;
    const text = await answer.text();
    const check = (method: 'get' | 'post', address: string) => {
      const route = findRoute(
        method,
        new URL(address.replaceAll('&amp;', '&'), 'http://a').pathname.replace(/\/$/, ''),
      );
      if (route !== undefined && !opens[method].includes(route.access)) dead.push(`${path}: ${method} ${address}`);
    };
    for (const [, href] of text.matchAll(/<a\b[^>]*href="(\/admin[^"]*)"/g)) check('get', href!);
    // Forms keep what is shown in them, without their buttons.
    for (const [form, action] of text.matchAll(/<form\b[^>]*action="(\/admin[^"]*)"[\s\S]*?<\/form>/g))
      if (form!.includes('<button')) check(/^[^>]*method="post"/.test(form!) ? 'post' : 'get', action!);
  }
  expect(dead).toEqual([]);
  expect(pages).toBeGreaterThan(20);
});

describe('another language', () => {
  test('is shown of the page that a refused form came from', async () => {
    const browser = owners.en!;
    const answer = await browser.post(
      '/account/password',
      { current: '', password: 'x', repeated: 'y' },
      { headers: { referer: `${admin.url}/admin/account?x=1` } },
    );
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain('name="next" value="/admin/account?x=1"');
  });
});
