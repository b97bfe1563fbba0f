import { importFormats } from '#domain/catalog';
import { factNames } from '#domain/object-facts';
import { AppError } from '#errors';
import { type CsvColumn, makeCsvDownload } from '#faces/downloads';
import type { Translate } from '#faces/words/i18n';
import { translateImportProblem } from '#faces/words/import-problems';
import type { MatchedColumn, Upload } from '#ports/imports';
import type { ImportRecord, ImportRemark, TouchedConcept } from '#ports/store/store';
import { explainNoImportRecords, findImportState, type ShownState } from '#services/catalogue/imports/import-records';
import type { AdminFaceDeps } from '../deps.ts';
import { type FormState, keepTypedFormValues, readForm, refuseForm } from '../forms/forms.ts';
import { createListModel, readListChoice } from '../lists/lists.ts';
import type { AdminRoute, PageReply, Reply, SignedInContext, UploadContext } from '../route.ts';
import { get, makePage, makeRedirect, post } from '../route.ts';
import {
  createImportForm,
  fillNewImportForm,
  type ImportChoice,
  offeredFormats,
  offeredRhythms,
  placeOfFormat,
  readImportMatches,
  rhythmField,
} from './import-form.ts';

const PATH = '/imports';
const NEW_PATH = '/imports/new';

/** Maximum number of rows on the page; the download has all. */
const MAX_SHOWN = 100;

const translateRemarks = (remarks: readonly ImportRemark[], t: Translate) =>
  remarks.map(({ place, reason }) => ({ place, reason: translateImportProblem(reason, t) }));

const IMPORT_PATH = `${PATH}/:importId`;

const actOnImport =
  (act: 'stop' | 'accept' | 'undo', done: string) =>
  async ({ actor, param, imports }: SignedInContext): Promise<Reply> => {
    const { id } = await imports[act](actor, param('importId'));
    return makeRedirect(`${PATH}/${id}`, `import-${done}`);
  };

/** The list of imports, the newest first, and the page of each, with actions. */
export const importsRoutes: AdminRoute[] = [
  get(PATH, 'viewer', showImports),
  // For owners only, as all tenants share the catalogue.
  get(NEW_PATH, 'owner', (context) => showImportForm(context, fillNewImportForm(context.query.get('format')))),
  { method: 'post', path: NEW_PATH, access: 'owner', takesFile: true, handle: submitImport },
  get(`${NEW_PATH}/template/:format`, 'viewer', downloadImportTemplate),
  get(IMPORT_PATH, 'viewer', showImport),
  // The script of the page asks for it.
  get(`${IMPORT_PATH}/progress`, 'viewer', async (context) => ({
    kind: 'json',
    body: viewImportProgress(context, await loadImport(context)),
  })),
  post(`${IMPORT_PATH}/stop`, 'owner', actOnImport('stop', 'stopped')),
  post(`${IMPORT_PATH}/accept`, 'owner', actOnImport('accept', 'accepted')),
  post(`${IMPORT_PATH}/rhythm`, 'owner', saveImportRhythm),
  get(`${IMPORT_PATH}/rejected.csv`, 'viewer', downloadRejectedImportRows),
  get(`${IMPORT_PATH}/concepts.csv`, 'viewer', downloadImportConcepts),
  get(`${IMPORT_PATH}/undo`, 'owner', showUndoImport),
  post(`${IMPORT_PATH}/undo`, 'owner', actOnImport('undo', 'undone')),
];

async function showImports({ query, clock, imports }: SignedInContext): Promise<Reply> {
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
  const remarks = record.rejected.filter(({ isNote }) => !isNote);
  const rejected = remarks.filter(({ isUsed }) => !isUsed).slice(0, MAX_SHOWN);
  const warned = remarks.filter(({ isUsed }) => isUsed).slice(0, MAX_SHOWN);
  return makePage('import', {
    record,
    changes: await imports.describeChanges(record),
    concepts: record.report?.concepts.slice(0, MAX_SHOWN) ?? [],
    problem: record.problem === null ? null : translateImportProblem(record.problem, t),
    rejected: translateRemarks(rejected, t),
    warned: translateRemarks(warned, t),
    notes: translateRemarks(notes, t),
    canSetRhythm: await imports.canSetRhythm(record),
    rhythms: offeredRhythms,
    canUndo: await imports.canUndo(record),
    next: await imports.findNext(record),
    progress: viewImportProgress(context, record),
    ...describeImportStates(clock.now()),
  });
}

async function saveImportRhythm({ actor, param, form, imports }: SignedInContext): Promise<Reply> {
  const rhythm = rhythmField.parse(form.get('rhythm'));
  const { id } = await imports.setRhythm(actor, param('importId'), rhythm);
  return makeRedirect(`${PATH}/${id}`, 'import-rhythm');
}

async function downloadRejectedImportRows(context: SignedInContext): Promise<Reply> {
  const record = await loadImport(context);
  const { t } = context;
  const columns: CsvColumn<ImportRemark>[] = [
    { heading: t('imports.place'), value: ({ place }) => place },
    { heading: t('imports.reason'), value: ({ reason }) => translateImportProblem(reason, t).text },
  ];
  const rows = record.rejected.filter(({ isUsed }) => !isUsed);
  return makeCsvDownload(`${record.dataset}-${record.number}-rejected.csv`, columns, rows);
}

/** Downloads what a new version of a taxonomy does to its concepts. */
async function downloadImportConcepts(context: SignedInContext): Promise<Reply> {
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

/** Describes the progress for the page and its script. Without a total, there is no percentage. */
function viewImportProgress({ t, locale, clock, imports }: SignedInContext, record: ImportRecord) {
  const { done, total, counts } = record;
  const percent = total === null || total === 0 ? null : Math.min(100, Math.floor((100 * done) / total));
  const values = { rows: counts.rows.toLocaleString(locale), count: counts.rows, percent: percent ?? 0 };
  const readKey = percent === null ? 'readSoFar' : 'readOf';
  const key = imports.isWaiting(record.id) ? 'waits' : readKey;
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
  const meaningOf = (record: ImportRecord) => explainNoImportRecords(record) ?? stateOf(record);
  return { stateOf, meaningOf, markOfState };
}

async function showImportForm(
  { importSources }: SignedInContext,
  form: FormState,
  matched: readonly MatchedColumn[] = [],
): Promise<PageReply> {
  const listed = offeredFormats.map(async (format) => ({ format, columns: await importSources.listColumns(format) }));
  const tables = (await Promise.all(listed)).filter(({ columns }) => columns.length > 0);
  const { columns: readable = [] } = tables.find(({ format }) => format === form.values.format) ?? {};
  const model = { form, formats: offeredFormats, tables, rhythms: offeredRhythms, matched, readable, facts: factNames };
  return makePage('import-new', model);
}

/** Downloads a table with the columns of a format and a sample row. */
async function downloadImportTemplate({ param, importSources }: SignedInContext): Promise<Reply> {
  const format = importFormats.find((name) => name === param('format'));
  const columns = format === undefined ? [] : await importSources.listColumns(format);
  if (columns.length === 0) return makeRedirect(NEW_PATH);
  const cells = columns.map(({ name, example }) => ({ heading: name, value: () => example }));
  return makeCsvDownload(`${format}.csv`, cells, [null]);
}

async function submitImport(context: UploadContext): Promise<Reply> {
  const { form, upload, uploads } = context;
  const refuse = async (state: FormState, columns?: readonly MatchedColumn[]) => ({
    ...(await showImportForm(context, state, columns)),
    status: 422,
  });
  const read = readForm(context, createImportForm(upload !== null), ['column', 'as']);
  // The page hides the file field when an address is read, but a file may have been chosen before.
  const isAsked = 'data' in read && placeOfFormat[read.data.format] !== 'address';
  if (upload !== null && !isAsked) await uploads.remove(upload);
  if ('state' in read) return refuse(read.state);
  try {
    if (read.data.mode === 'match' && upload !== null && isAsked)
      return await showImportForm(
        context,
        keepTypedFormValues(form),
        await readImportColumns(context, upload, read.data),
      );
    const { id } = await beginSubmittedImport(context, read.data, isAsked ? upload : null);
    return makeRedirect(`/imports/${id}`);
  } catch (error) {
    const { columns = [] } = error instanceof AppError ? error.data : {};
    return refuse(refuseForm(error, context), columns as MatchedColumn[]);
  }
}

/** Reads the columns of a file and the fields that they match, and removes the file. */
async function readImportColumns({ importSources, uploads }: AdminFaceDeps, upload: Upload, choice: ImportChoice) {
  try {
    const { path: location, name: title } = upload;
    const source = await importSources.open({ ...toImportRequest(choice), location, title });
    source.close?.();
    return source.columns ?? [];
  } finally {
    await uploads.remove(upload);
  }
}

function toImportRequest(choice: ImportChoice) {
  const { format, langs, name, sheet } = choice;
  return {
    format,
    langs,
    ...readImportMatches(choice),
    ...(name !== '' && { dataset: name }),
    ...(sheet !== '' && { sheet }),
  };
}

/** Begins an import. Errors: those of opening its source and of `imports.start`. */
async function beginSubmittedImport(
  { imports, importSources, uploadedImports, actor }: UploadContext,
  choice: ImportChoice,
  upload: Upload | null,
): Promise<ImportRecord> {
  const { langs, allowRemoval, rhythm, address } = choice;
  const request = toImportRequest(choice);
  const options = { allowRemoval, isCheck: choice.mode === 'check', asksForNewVersion: true, rhythm };
  if (upload !== null) return uploadedImports.begin(actor, upload, { request, options });
  const source = await importSources.open({ ...request, location: address });
  const closeSource = async () => source.close?.();
  try {
    return await imports.start(actor, source, { ...options, origin: { address, langs }, onEnd: closeSource });
  } catch (error) {
    source.close?.();
    throw error;
  }
}
