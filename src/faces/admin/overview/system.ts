import type { BackupState } from '#services/host/backups';
import { get, makePage, makeRedirect, post, type Reply, type SignedInContext } from '../route.ts';

/** The page about the host, and backups of its store. */
export const systemRoutes = [
  get('/system', 'auditor', showSystem),
  post('/system/backups', 'owner', beginBackup),
  // The script of the page asks for it.
  get('/system/backups', 'auditor', async ({ system, t, locale }) => ({
    kind: 'json',
    body: system.backups && viewBackups(await system.backups.describe(), { t, locale }),
  })),
];

async function showSystem({ locale, t, clock, system, audit }: SignedInContext): Promise<Reply> {
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
}

async function beginBackup({ system: { backups }, audit, actor }: SignedInContext): Promise<Reply> {
  const { path, isRunning } = (await backups?.describe()) ?? { path: '', isRunning: false };
  if (backups !== null && !isRunning) {
    await audit.record(actor, { action: 'store.backed-up', tenantId: null, target: path });
    void backups.begin();
  }
  return makeRedirect('/system#backups');
}

function viewBackups(state: BackupState, { t, locale }: Pick<SignedInContext, 't' | 'locale'>) {
  const percent = (state.percent ?? 0).toLocaleString(locale);
  return { ...state, text: t('system.backups.running', { percent }) };
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Writes a size as `12.3 MB`, in units of 1,000 bytes. */
function formatBytes(count: number, locale: string): string {
  const power = count < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(count) / 3));
  const options = { style: 'unit', unit: UNITS[power], maximumFractionDigits: 1 } as const;
  return (count / 1000 ** power).toLocaleString(locale, options);
}
