import type { TenantScope } from '#domain/admin';
import type { Translate } from '#faces/words/i18n';
import type { InsightCounter, InsightKind, InsightSum } from '#ports/store/store';
import { INSIGHT_DAYS, objectCounters } from '#services/host/insight';
import { type CsvColumn, makeCsvDownload, toCsvColumns } from '../../csv.ts';
import type { AdminDeps } from '../deps.ts';
import { get, makePage, type Reply, type SignedInContext } from '../route.ts';
import { findTenantNames, narrowToChosenTenant, readTenantChoices, withChosenTenant } from '../tenants/tenant-lists.ts';
import { synonymRoutes } from './synonym.ts';

const periods = [7, 30, INSIGHT_DAYS] as const;
const SHOWN = 20;

/** In a file. */
const MOST = 1_000;

interface Table {
  readonly name: 'searches' | 'poor' | 'unopened' | 'objects' | 'courses' | 'platforms' | 'keys';
  readonly kind: InsightKind;
  readonly by: InsightCounter;
  readonly columns: readonly InsightCounter[];
}

const tables: readonly Table[] = [
  { name: 'searches', kind: 'search', by: 'asked', columns: ['asked'] },
  { name: 'poor', kind: 'search', by: 'poor', columns: ['poor', 'empty', 'asked'] },
  { name: 'unopened', kind: 'search', by: 'unopened', columns: ['unopened', 'asked'] },
  { name: 'objects', kind: 'object', by: 'opened', columns: objectCounters },
  { name: 'courses', kind: 'course', by: 'opened', columns: objectCounters },
  { name: 'platforms', kind: 'platform', by: 'opened', columns: objectCounters },
  { name: 'keys', kind: 'key', by: 'asked', columns: ['asked'] },
];

/** Tables whose columns sort. */
const sortable: ReadonlySet<InsightKind> = new Set(['object', 'course', 'platform']);

interface Wanted {
  readonly scope: TenantScope;
  readonly tenant: string;
  readonly days: number;
  readonly tables: readonly Table[];
}

export const insightRoutes = [
  get('/insight', 'viewer', showInsight),
  get('/insight/export', 'viewer', exportInsightTable),
  ...synonymRoutes,
];

async function readInsightRows(
  { insight, tenants, apiKeys }: AdminDeps,
  { scope, days }: Wanted,
  { kind, by }: Table,
  limit: number,
) {
  const rows = await insight.listTop({ scope, kind, by, days, limit });
  const names = await findTenantNames(tenants, rows);
  // A key's name can be changed, so it is not counted under it.
  const titles = rows.map(async ({ name, title }) =>
    kind === 'key' ? ((await apiKeys.findApiKey(name))?.name ?? title) : title,
  );
  const titled = await Promise.all(titles);
  return rows.map((row, place) => ({
    ...row,
    title: titled[place] ?? row.title,
    tenantName: names.get(row.tenantId) ?? row.tenantId,
  }));
}

async function showInsight(context: SignedInContext): Promise<Reply> {
  const { tenants } = context;
  const request = readWanted(context);
  const { days, tenant } = request;
  const choices = await readTenantChoices(tenants, context.signedIn.admin.tenants);
  const tables = request.tables.map(async (table) => {
    const by = sortable.has(table.kind) ? `&by=${table.by}` : '';
    const query = `?tenant=${encodeURIComponent(tenant)}&days=${days}`;
    return { ...table, query, by, rows: await readInsightRows(context, request, table, SHOWN) };
  });
  return makePage('insight', {
    ...{ tables: await Promise.all(tables), days, periods, tenant },
    choices: withChosenTenant(choices, tenant),
    sortedBy: request.tables.find(({ kind }) => kind === 'object')?.by,
    totals: await readTotals(context, request),
  });
}

/** How much was counted at all, as words appear only once several people have used them. */
async function readTotals({ usage }: AdminDeps, { scope, days }: Wanted) {
  const { totals } = await usage.report(scope, days);
  return { searches: totals.searches, empty: totals['zero-result-searches'], placed: totals.embeds };
}

async function exportInsightTable(context: SignedInContext): Promise<Reply> {
  const { clock, query, t } = context;
  const wanted = readWanted(context);
  const [first] = wanted.tables;
  const table = wanted.tables.find(({ name }) => name === query.get('table')) ?? first;
  const rows = table === undefined ? [] : await readInsightRows(context, wanted, table, MOST);
  const name = `insight-${table?.name}-${clock.now().toISOString().slice(0, 10)}.csv`;
  return makeCsvDownload(name, table === undefined ? [] : listColumns(table, t), rows);
}

/** What the address asks for; anything else counts as not chosen. Errors: TENANT_UNKNOWN. */
function readWanted({ query, signedIn }: SignedInContext): Wanted {
  const tenant = query.get('tenant') ?? '';
  const by = objectCounters.find((counter) => counter === query.get('by')) ?? 'opened';
  return {
    scope: narrowToChosenTenant(signedIn.admin.tenants, tenant),
    tenant,
    days: periods.find((days) => String(days) === query.get('days')) ?? 30,
    tables: tables.map((table) => (sortable.has(table.kind) ? { ...table, by } : table)),
  };
}

type Row = InsightSum & { readonly tenantName: string };

function listColumns({ kind, columns }: Table, t: Translate): CsvColumn<Row>[] {
  const counters = columns.map((counter) => [counter, (row: Row) => row[counter]] as const);
  return toCsvColumns<Row>((name) => t(`insight.columns.${name}`), {
    [kind === 'object' ? 'title' : kind === 'search' ? 'words' : kind]: ({ title }) => title,
    ...(kind === 'object' && { address: ({ name }: Row) => name }),
    ...Object.fromEntries(counters),
    tenantId: ({ tenantId }) => tenantId,
    tenant: ({ tenantName }) => tenantName,
  });
}
