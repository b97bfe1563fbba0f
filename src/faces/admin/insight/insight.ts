import { z } from 'zod';
import type { TenantScope } from '#domain/admin';
import { cutQueryWords, MAX_WORDS_LENGTH } from '#domain/learning-object-query';
import { cleanText } from '#domain/text';
import { type CsvColumn, makeCsvDownload, toCsvColumns } from '#faces/downloads';
import type { Translate } from '#faces/words/i18n';
import { listLanguageNames } from '#faces/words/language-names';
import type { Term } from '#ports/learning-service';
import type { InsightCounter, InsightKind, InsightSum } from '#ports/store/store';
import { INSIGHT_DAYS, objectCounters } from '#services/host/insight';
import { createSynonymImport } from '#services/searching/synonyms';
import type { AdminDeps } from '../deps.ts';
import { type FormState, fillForm, submitForm } from '../forms/forms.ts';
import { get, makePage, makeRedirect, type PageReply, post, type Reply, type SignedInContext } from '../route.ts';
import { addTenantNames, narrowToChosenTenant, readTenantChoices, withChosenTenant } from '../tenants/tenant-lists.ts';

const periods = [7, 30, INSIGHT_DAYS] as const;
/** How many rows a table has on the page, and in a file. */
const MAX_SHOWN = 20;
const MAX_EXPORTED = 1_000;

interface Table {
  readonly name: 'searches' | 'poor' | 'unopened' | 'objects' | 'courses' | 'platforms' | 'keys';
  readonly kind: InsightKind;
  readonly by: InsightCounter;
  readonly columns: readonly InsightCounter[];
}

const tables: readonly [Table, ...Table[]] = [
  { name: 'searches', kind: 'search', by: 'asked', columns: ['asked'] },
  { name: 'poor', kind: 'search', by: 'poor', columns: ['poor', 'empty', 'asked'] },
  { name: 'unopened', kind: 'search', by: 'unopened', columns: ['unopened', 'asked'] },
  { name: 'objects', kind: 'object', by: 'opened', columns: objectCounters },
  { name: 'courses', kind: 'course', by: 'opened', columns: objectCounters },
  { name: 'platforms', kind: 'platform', by: 'opened', columns: objectCounters },
  { name: 'keys', kind: 'key', by: 'asked', columns: ['asked'] },
];

/** Kinds whose tables can be sorted by each counter. */
const sortable: ReadonlySet<InsightKind> = new Set(['object', 'course', 'platform']);

const sortTable = (table: Table, by: InsightCounter): Table => (sortable.has(table.kind) ? { ...table, by } : table);

interface InsightFilter {
  readonly scope: TenantScope;
  readonly tenant: string;
  readonly days: number;
  /** The counter by which objects, courses and platforms are sorted. */
  readonly by: InsightCounter;
}

export const insightRoutes = [
  get('/insight', 'viewer', showInsight),
  get('/insight/export', 'viewer', exportInsightTable),
  // Adds words as synonyms of concepts: for owners only, as all tenants share the taxonomies.
  get('/insight/synonym', 'owner', showSynonym),
  post('/insight/synonym', 'owner', addSynonym),
];

async function readInsightRows(deps: AdminDeps, { scope, days }: InsightFilter, { kind, by }: Table, limit: number) {
  const { insight, tenants, apiKeys } = deps;
  const rows = await insight.listTop({ scope, kind, by, days, limit });
  const named = await addTenantNames(tenants, rows);
  if (kind !== 'key') return named;
  // Keys are counted by id, as their names can be changed.
  const findTitle = async (row: Row) => ({ ...row, title: (await apiKeys.findApiKey(row.name))?.name ?? row.title });
  return Promise.all(named.map(findTitle));
}

async function showInsight(context: SignedInContext): Promise<Reply> {
  const { tenants } = context;
  const filter = readInsightFilter(context);
  const { days, tenant, by } = filter;
  const choices = await readTenantChoices(tenants, context.signedIn.admin.tenants);
  const { totals } = await context.usage.report(filter.scope, days);
  const query = `?tenant=${encodeURIComponent(tenant)}&days=${days}`;
  const filledTables = tables.map(async (table) => {
    const rows = await readInsightRows(context, filter, sortTable(table, by), MAX_SHOWN);
    return { ...table, query, exportQuery: sortable.has(table.kind) ? `${query}&by=${by}` : query, rows };
  });
  return makePage('insight', {
    tables: await Promise.all(filledTables),
    days,
    periods,
    tenant,
    choices: withChosenTenant(choices, tenant),
    sortedBy: by,
    // Totals include words that too few people have used to be shown.
    totals: { searches: totals.searches, empty: totals['zero-result-searches'], placed: totals.embeds },
  });
}

async function exportInsightTable(context: SignedInContext): Promise<Reply> {
  const { clock, query, t } = context;
  const filter = readInsightFilter(context);
  const table = tables.find(({ name }) => name === query.get('table')) ?? tables[0];
  const rows = await readInsightRows(context, filter, sortTable(table, filter.by), MAX_EXPORTED);
  const name = `insight-${table.name}-${clock.now().toISOString().slice(0, 10)}.csv`;
  return makeCsvDownload(name, listInsightColumns(table, t), rows);
}

/** Reads the filter of the address; unusable values count as not chosen. Errors: TENANT_UNKNOWN. */
function readInsightFilter({ query, signedIn }: SignedInContext): InsightFilter {
  const tenant = query.get('tenant') ?? '';
  return {
    scope: narrowToChosenTenant(signedIn.admin.tenants, tenant),
    tenant,
    days: periods.find((days) => String(days) === query.get('days')) ?? 30,
    by: objectCounters.find((counter) => counter === query.get('by')) ?? 'opened',
  };
}

type Row = InsightSum & { readonly tenantName: string };

/** Names of the columns with titles, where they are not the kind. */
const titleColumns: Readonly<Partial<Record<InsightKind, string>>> = { object: 'title', search: 'words' };

function listInsightColumns({ kind, columns }: Table, t: Translate): CsvColumn<Row>[] {
  const counters = columns.map((counter) => [counter, (row: Row) => row[counter]] as const);
  return toCsvColumns<Row>((name) => t(`insight.columns.${name}`), {
    [titleColumns[kind] ?? kind]: ({ title }) => title,
    ...(kind === 'object' && { address: ({ name }: Row) => name }),
    ...Object.fromEntries(counters),
    tenantId: ({ tenantId }) => tenantId,
    tenant: ({ tenantName }) => tenantName,
  });
}

const MAX_LABEL = 100;
const MAX_CONCEPTS = 12;
type ConceptHit = Term & { readonly concept: string };

const synonymForm = z.object({
  words: z.string().transform(cleanText).pipe(z.string().min(1, 'required').max(MAX_LABEL, 'tooLong')),
  lang: z.string().regex(/^[a-z]{2}$/, 'required'),
  q: z.string().transform(cutQueryWords),
  concept: z.string('chooseConcept').min(1, 'chooseConcept'),
});

/** Finds concepts with the ids under which synonyms are kept; answers have other addresses. */
async function findConcepts(
  { local, concepts }: AdminDeps,
  words: string,
  lang: string,
): Promise<readonly ConceptHit[]> {
  if (words === '') return [];
  const terms = await local.ask('similar', { keywords: words, lang, max: MAX_CONCEPTS });
  const hits = new Map<string, ConceptHit>();
  for (const term of terms) {
    const id = term.concept && concepts.findConcept(term.concept)?.id;
    // The engine may return several labels of a concept, the best first.
    if (id && !hits.has(id)) hits.set(id, { ...term, concept: id });
  }
  return [...hits.values()];
}

async function showSynonymForm(context: SignedInContext, form: FormState): Promise<PageReply> {
  const { locale, local } = context;
  const codes = (await local.ask('listLanguages', {})).map(({ value }) => value);
  return makePage('insight-synonym', {
    form,
    concepts: await findConcepts(context, form.values.q ?? '', locale),
    choices: listLanguageNames(codes, locale),
    maxLabel: MAX_LABEL,
    maxWords: MAX_WORDS_LENGTH,
  });
}

async function showSynonym(context: SignedInContext): Promise<Reply> {
  const { query, locale } = context;
  const words = cutQueryWords(query.get('words') ?? '').slice(0, MAX_LABEL);
  const q = cutQueryWords(query.get('q') ?? '') || words;
  return showSynonymForm(context, fillForm({ words, q, lang: query.get('lang') ?? locale }));
}

function addSynonym(context: SignedInContext): Promise<Reply> {
  const { imports, actor, locale } = context;
  return submitForm(context, {
    schema: synonymForm,
    show: (form) => showSynonymForm(context, form),
    async save({ words, lang, q, concept }) {
      const match = (await findConcepts(context, q, locale)).find((result) => result.concept === concept);
      if (match === undefined) {
        const problems = { concept: context.t('problems.chooseConcept') };
        return { ...(await showSynonymForm(context, { ...fillForm({ words, lang, q }), problems })), status: 422 };
      }
      const label = `${match.label} (${match.source})`;
      const { id } = await imports.start(actor, createSynonymImport({ words, lang, concept, label }));
      return makeRedirect(`/imports/${id}`, 'synonym-added');
    },
  });
}
