import type { Translate } from '#faces/words/i18n';
import { translateImportProblem } from '#faces/words/import-problems';
import type { ImportRecord, ImportRemark, TouchedConcept } from '#ports/store/store';
import { findImportState, findReasonForNoRecords, type ShownState } from '#services/catalogue/imports/import-records';
import { type CsvColumn, makeCsvDownload } from '../../csv.ts';
import { createListModel, readListChoice } from '../lists/lists.ts';
import { get, makePage, makeRedirect, post, type Reply, type SignedInContext } from '../route.ts';
import { offeredRhythms, rhythmField } from './import-form.ts';
import { newImportRoutes } from './import-new.ts';

const PATH = '/imports';

/** Maximum number of rows on the page; the download has all. */
const MAX_SHOWN = 100;

const listRemarks = ({ rejected }: ImportRecord, isUsed: boolean) =>
  rejected.filter((remark) => remark.isUsed === isUsed && !remark.isNote).slice(0, MAX_SHOWN);

const translateRemarks = (remarks: readonly ImportRemark[], t: Translate) =>
  remarks.map(({ place, reason }) => ({ place, reason: translateImportProblem(reason, t) }));

const path = `${PATH}/:importId`;

const actOnImport =
  (act: 'stop' | 'accept' | 'undo', done: string) =>
  async ({ actor, param, imports }: SignedInContext): Promise<Reply> => {
    const { id } = await imports[act](actor, param('importId'));
    return makeRedirect(`${PATH}/${id}`, `import-${done}`);
  };

/** The list of imports, the newest first, and the page of each, with actions. */
export const importsRoutes = [
  get(PATH, 'viewer', listImports),
  ...newImportRoutes,
  get(path, 'viewer', showImport),
  get(`${path}/progress`, 'viewer', showImportProgress),
  post(`${path}/stop`, 'owner', actOnImport('stop', 'stopped')),
  post(`${path}/accept`, 'owner', actOnImport('accept', 'accepted')),
  post(`${path}/rhythm`, 'owner', setImportRhythm),
  get(`${path}/rejected.csv`, 'viewer', downloadRejectedRows),
  get(`${path}/concepts.csv`, 'viewer', downloadConcepts),
  get(`${path}/undo`, 'owner', showUndoImport),
  post(`${path}/undo`, 'owner', actOnImport('undo', 'undone')),
];

async function listImports({ query, clock, imports }: SignedInContext): Promise<Reply> {
  const choice = readListChoice(query, ['startedAt'], true);
  const records = await imports.listImports({ page: choice.page, pageSize: choice.pageSize });
  return makePage('imports', {
    list: createListModel({ path: PATH, query, choice }, records),
    imports: records.items,
    ...describeImportStates(clock.now()),
  });
}

const loadImport = ({ param, imports }: SignedInContext) => imports.getImport(param('importId'));

async function showImport(context: SignedInContext): Promise<Reply> {
  const { clock, imports, t } = context;
  const record = await loadImport(context);
  const notes = record.rejected.filter(({ isNote }) => isNote);
  return makePage('import', {
    record,
    changes: await imports.describeChanges(record),
    concepts: record.report?.concepts.slice(0, MAX_SHOWN) ?? [],
    problem: record.problem === null ? null : translateImportProblem(record.problem, t),
    rejected: translateRemarks(listRemarks(record, false), t),
    warned: translateRemarks(listRemarks(record, true), t),
    notes: translateRemarks(notes, t),
    canSetRhythm: await imports.canSetRhythm(record),
    rhythms: offeredRhythms,
    canUndo: await imports.canUndo(record),
    next: await imports.findNext(record),
    progress: viewProgress(context, record),
    ...describeImportStates(clock.now()),
  });
}

/** For the script of the page. */
async function showImportProgress(context: SignedInContext): Promise<Reply> {
  return { kind: 'json', body: viewProgress(context, await loadImport(context)) };
}

async function setImportRhythm({ actor, param, form, imports }: SignedInContext): Promise<Reply> {
  const rhythm = rhythmField.parse(form.get('rhythm'));
  const { id } = await imports.setRhythm(actor, param('importId'), rhythm);
  return makeRedirect(`${PATH}/${id}`, 'import-rhythm');
}

async function downloadRejectedRows(context: SignedInContext): Promise<Reply> {
  const record = await loadImport(context);
  const { t } = context;
  const columns: CsvColumn<ImportRemark>[] = [
    { heading: t('imports.place'), value: ({ place }) => place },
    { heading: t('imports.reason'), value: ({ reason }) => translateImportProblem(reason, t).text },
  ];
  const rows = record.rejected.filter(({ isUsed }) => !isUsed);
  return makeCsvDownload(`${record.dataset}-${record.number}-rejected.csv`, columns, rows);
}

/** What a new version of a taxonomy does to its concepts. */
async function downloadConcepts(context: SignedInContext): Promise<Reply> {
  const { dataset, number, report } = await loadImport(context);
  const { t } = context;
  const columns = (['key', 'name', 'fate', 'now', 'into', 'objects', 'edits', 'synonyms'] as const).map((name) => ({
    heading: t(`imports.concepts.${name}`),
    value: (concept: TouchedConcept) => `${concept[name] ?? ''}`,
  }));
  return makeCsvDownload(`${dataset}-${number}-concepts.csv`, columns, report?.concepts ?? []);
}

async function showUndoImport(context: SignedInContext): Promise<Reply> {
  const record = await loadImport(context);
  const canUndo = await context.imports.canUndo(record);
  return canUndo ? makePage('import-undo', { record }) : makeRedirect(`${PATH}/${record.id}`);
}

/** For the page and its script. Without a total, there is no percentage. */
function viewProgress({ t, locale, clock, imports }: SignedInContext, record: ImportRecord) {
  const { done, total, counts } = record;
  const percent = total === null || total === 0 ? null : Math.min(100, Math.floor((100 * done) / total));
  const values = { rows: counts.rows.toLocaleString(locale), count: counts.rows, percent: percent ?? 0 };
  const key = imports.isWaiting(record.id) ? 'waits' : percent === null ? 'readSoFar' : 'readOf';
  const isRunning = findImportState(record, clock.now()) === 'running';
  return { isRunning, percent, text: t(`imports.${key}`, values) };
}

const markOfState: Readonly<Record<ShownState, string>> = {
  running: 'due',
  checked: 'due',
  live: 'on',
  unchanged: '',
  stopped: 'due',
  failed: 'off',
  undone: '',
  replaced: '',
  brokenOff: 'off',
};

/** Returns functions for the state of an import, its mark, and the name of its explanation. */
function describeImportStates(now: Date) {
  const stateOf = (record: ImportRecord): ShownState => findImportState(record, now);
  return {
    stateOf,
    meaningOf: (record: ImportRecord) => findReasonForNoRecords(record) ?? stateOf(record),
    markOfState,
  };
}
