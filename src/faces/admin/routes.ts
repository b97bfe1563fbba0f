import type { Provider } from '#domain/catalog';
import { foldText } from '#domain/text';
import type { BackupState } from '#services/host/backups';
import { chooseLogos } from '../object-view/logos.ts';
import { findLanguageName } from '../words/language-names.ts';
import { adminsRoutes } from './admins/admins.ts';
import { assistantsRoutes } from './assistants/assistants.ts';
import { auditRoutes } from './audit/audit.ts';
import { defaultsRoutes } from './defaults/defaults.ts';
import { feedbackRoutes } from './feedback/feedback.ts';
import { importsRoutes } from './imports/imports.ts';
import { insightRoutes } from './insight/insight.ts';
import { keysRoutes } from './keys/keys.ts';
import { brokenLinksRoutes } from './links/broken-links.ts';
import { createListModel, type ListChoice, readListChoice } from './lists/lists.ts';
import { objectsRoutes } from './objects/objects.ts';
import { overviewRoutes } from './overview/overview.ts';
import { peopleRoutes } from './people/people.ts';
import { registrationsRoutes } from './registrations/registrations.ts';
import { type AdminRoute, get, makePage, makeRedirect, post, type Reply, type SignedInContext } from './route.ts';
import { signInRoutes } from './sign-in/sign-in.ts';
import { tenantsRoutes } from './tenants/tenants.ts';
import { upstreamRoutes } from './upstream/upstream.ts';
import { workspacesRoutes } from './workspaces/workspaces.ts';

/** In each feature, a fixed path comes before one with a parameter in the same place. */
export const adminFaceRoutes: readonly AdminRoute[] = [
  ...signInRoutes,
  ...overviewRoutes,
  ...tenantsRoutes,
  ...upstreamRoutes,
  ...defaultsRoutes,
  ...keysRoutes,
  ...assistantsRoutes,
  ...registrationsRoutes,
  ...workspacesRoutes,
  ...feedbackRoutes,
  get('/catalogue', 'viewer', showCatalogue),
  ...objectsRoutes,
  ...brokenLinksRoutes,
  ...importsRoutes,
  ...insightRoutes,
  ...auditRoutes,
  ...peopleRoutes,
  ...adminsRoutes,
  get('/system', 'auditor', async ({ locale, t, clock, system, audit }) => {
    const minutes = Math.max(0, Math.floor((clock.now().getTime() - system.startedAt.getTime()) / 60_000));
    const { rss, heapUsed } = process.memoryUsage();
    const swept = { scope: null, action: 'retention.swept', period: { from: null, until: null }, search: '' };
    const { items } = await audit.listEntries({ ...swept, page: 0, pageSize: 1, ascending: false });
    return makePage('system', {
      lastSweep: items[0] ?? null,
      backups: system.backups && viewBackups(await system.backups.describe(), { t, locale }),
      system,
      // A problem with the store must not break this page, which shows it.
      store: await system.describeStore().catch((error: Error) => ({ problem: error.message })),
      node: process.version,
      uptime: { days: Math.floor(minutes / 1440), hours: Math.floor(minutes / 60) % 24, minutes: minutes % 60 },
      memory: { rss, heapUsed },
      bytes: (count: number) => formatBytes(count, locale),
    });
  }),
  post('/system/backups', 'owner', async ({ system: { backups }, audit, actor }) => {
    const { path, isRunning } = (await backups?.describe()) ?? { path: '', isRunning: false };
    if (backups !== null && !isRunning) {
      await audit.record(actor, { action: 'store.backed-up', tenantId: null, target: path });
      void backups.begin();
    }
    return makeRedirect('/system#backups');
  }),
  // For the script of the page.
  get('/system/backups', 'auditor', async ({ system, t, locale }) => ({
    kind: 'json',
    body: system.backups && viewBackups(await system.backups.describe(), { t, locale }),
  })),
];

function viewBackups(state: BackupState, { t, locale }: Pick<SignedInContext, 't' | 'locale'>) {
  const percent = (state.percent ?? 0).toLocaleString(locale);
  return { ...state, text: t('system.backups.running', { percent }) };
}

async function showCatalogue(context: SignedInContext): Promise<Reply> {
  const { query, locale, t, linkChecks, local, pictures, system } = context;
  const { providers, types, languages, taxonomies } = system.catalogCounts;
  const choice = readListChoice(query, ['objects', 'name'], true);
  const listed = (await local.ask('listProviders', {})).map((provider) => ({
    ...provider,
    logo: chooseLogos(provider.logos, 'square', pictures),
    objects: providers.get(provider.id) ?? 0,
  }));
  const result = chooseProviders(listed, choice);
  const links = await linkChecks.countLinkChecks();
  const listCounts = (counts: ReadonlyMap<string, number>, nameOf: (value: string) => string) =>
    Array.from(counts, ([value, total]) => ({ name: nameOf(value), total }));
  return makePage('catalogue', {
    sizes: system.sizes,
    megabytes: (system.sizes.indexBytes / 1e6).toLocaleString(locale, {
      style: 'unit',
      unit: 'megabyte',
      maximumFractionDigits: 1,
    }),
    list: createListModel({ path: '/catalogue', query, choice }, result),
    providers: result.items,
    deadLinks: links.dead,
    groups: [
      { id: 'types', counts: listCounts(types, (type) => t(`types.${type}`)) },
      { id: 'languages', counts: listCounts(languages, (code) => findLanguageName(code, locale)) },
      { id: 'taxonomies', counts: listCounts(taxonomies, (name) => name) },
    ],
  });
}

function chooseProviders<P extends Provider & { readonly objects: number }>(
  providers: readonly P[],
  { search, sort, descending, page, pageSize }: ListChoice<'objects' | 'name'>,
) {
  const folded = foldText(search);
  const order = descending ? -1 : 1;
  const result = providers
    .filter(({ name }) => foldText(name).includes(folded))
    .sort((a, b) => {
      const byName = foldText(a.name).localeCompare(foldText(b.name));
      return sort === 'name' ? order * byName : order * (a.objects - b.objects) || byName;
    });
  return { items: result.slice(page * pageSize, (page + 1) * pageSize), total: result.length };
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** `12.3 MB`; units of 1,000 bytes. */
function formatBytes(count: number, locale: string): string {
  const power = count < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(count) / 3));
  const options = { style: 'unit', unit: UNITS[power], maximumFractionDigits: 1 } as const;
  return (count / 1000 ** power).toLocaleString(locale, options);
}
