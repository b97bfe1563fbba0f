import type { Translate } from '#faces/words/i18n';
import { translateImportProblem } from '#faces/words/import-problems';
import type { ImportRecord, ImportRemark } from '#ports/store/store';
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

/** The list of imports, the newest first, and the page of each: its progress, changes and rejected
 *  rows, with actions such as stopping and undoing. */
export const importsRoutes = [
  get(PATH, 'viewer', listImports),
  ...newImportRoutes,
  get(path, 'viewer', showImport),
  get(`${path}/progress`, 'viewer', showImportProgress),
  post(`${path}/stop`, 'owner', stopImport),
  post(`${path}/accept`, 'owner', acceptImport),
  post(`${path}/rhythm`, 'owner', setImportRhythm),
  get(`${path}/rejected.csv`, 'viewer', downloadRejectedRows),
  get(`${path}/undo`, 'owner', showUndoImport),
  post(`${path}/undo`, 'owner', undoImport),
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

function viewProgress({ t, locale, clock, imports }: SignedInContext, record: ImportRecord): ImportView {
  return viewImport(record, { t, locale, now: clock.now(), isWaiting: imports.isWaiting(record.id) });
}

function loadImport({ param, imports }: SignedInContext) {
  return imports.getImport(param('importId'));
}

async function showImport(context: SignedInContext): Promise<Reply> {
  const { clock, imports, t } = context;
  const record = await loadImport(context);
  const now = clock.now();
  const next = await imports.findNext(record);
  return makePage('import', {
    record,
    changes: await imports.describeChanges(record),
    problem: record.problem === null ? null : translateImportProblem(record.problem, t),
    rejected: translateRemarks(listRemarks(record, false), t),
    warned: translateRemarks(listRemarks(record, true), t),
    notes: translateRemarks(
      record.rejected.filter(({ isNote }) => isNote),
      t,
    ),
    canSetRhythm: await imports.canSetRhythm(record),
    rhythms: offeredRhythms,
    canUndo: await imports.canUndo(record),
    next,
    progress: viewProgress(context, record),
    ...describeImportStates(now),
  });
}

/** For the script of the page. */
async function showImportProgress(context: SignedInContext): Promise<Reply> {
  return { kind: 'json', body: viewProgress(context, await loadImport(context)) };
}

async function stopImport({ actor, param, imports }: SignedInContext): Promise<Reply> {
  const { id } = await imports.stop(actor, param('importId'));
  return makeRedirect(`${PATH}/${id}`, 'import-stopped');
}

async function acceptImport({ actor, param, imports }: SignedInContext): Promise<Reply> {
  const { id } = await imports.accept(actor, param('importId'));
  return makeRedirect(`${PATH}/${id}`, 'import-accepted');
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

async function showUndoImport(context: SignedInContext): Promise<Reply> {
  const { imports } = context;
  const record = await loadImport(context);
  if (!(await imports.canUndo(record))) return makeRedirect(`${PATH}/${record.id}`);
  return makePage('import-undo', { record });
}

async function undoImport({ actor, param, imports }: SignedInContext): Promise<Reply> {
  const { id } = await imports.undo(actor, param('importId'));
  return makeRedirect(`${PATH}/${id}`, 'import-undone');
}

/** The progress of an import, for the page and its script. */
interface ImportView {
  readonly isRunning: boolean;
  /** 0 to 100; null if the total is unknown. */
  readonly percent: number | null;
  readonly text: string;
}

interface ViewOptions {
  readonly t: Translate;
  readonly locale: string;
  readonly now: Date;
  /** Whether the import waits for others to be read. */
  readonly isWaiting: boolean;
}

function viewImport(record: ImportRecord, { t, locale, now, isWaiting }: ViewOptions): ImportView {
  const { done, total, counts } = record;
  const percent = total === null || total === 0 ? null : Math.min(100, Math.floor((100 * done) / total));
  const rows = counts.rows.toLocaleString(locale);
  const values = { rows, count: counts.rows, percent: percent ?? 0 };
  return {
    isRunning: findImportState(record, now) === 'running',
    percent,
    text: isWaiting ? t('imports.waits') : t(percent === null ? 'imports.readSoFar' : 'imports.readOf', values),
  };
}

/** The marks of the states. */
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
