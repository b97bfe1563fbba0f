import { importFormats } from '#domain/catalog';
import { factNames } from '#domain/object-facts';
import { AppError } from '#errors';
import type { MatchedColumn, Upload } from '#ports/imports';
import type { ImportRecord } from '#ports/store/store';
import { makeCsvDownload } from '../../csv.ts';
import type { AdminFaceDeps } from '../deps.ts';
import { type FormState, keepTyped, readForm, refuseForm } from '../forms/forms.ts';
import {
  type AdminRoute,
  get,
  makePage,
  makeRedirect,
  type PageReply,
  type Reply,
  type SignedInContext,
  type UploadContext,
} from '../route.ts';
import {
  createImportForm,
  fillNewImportForm,
  type ImportChoice,
  offeredFormats,
  offeredRhythms,
  placeOfFormat,
  readMatches,
} from './import-form.ts';

const path = '/imports/new';

/** For owners only, as all tenants share the catalogue. */
export const newImportRoutes: AdminRoute[] = [
  get(path, 'owner', (context) => showImportForm(context, fillNewImportForm(context.query.get('format')))),
  { method: 'post', path, access: 'owner', takesFile: true, handle: submitImport },
  get(`${path}/template/:format`, 'viewer', downloadTemplate),
];

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

/** A table with its columns and a sample row. */
async function downloadTemplate({ param, importSources }: SignedInContext): Promise<Reply> {
  const format = importFormats.find((each) => each === param('format'));
  const columns = format === undefined ? [] : await importSources.listColumns(format);
  if (columns.length === 0) return makeRedirect(path);
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
      return await showImportForm(context, keepTyped(form), await readColumns(context, upload, read.data));
    const { id } = await beginImport(context, read.data, isAsked ? upload : null);
    return makeRedirect(`/imports/${id}`);
  } catch (error) {
    const { columns = [] } = error instanceof AppError ? error.data : {};
    return refuse(refuseForm(error, context), columns as MatchedColumn[]);
  }
}

/** Reads the columns of a file and the fields that they match, and removes the file. */
async function readColumns(
  { importSources, uploads }: AdminFaceDeps,
  upload: Upload,
  choice: ImportChoice,
): Promise<readonly MatchedColumn[]> {
  try {
    const { path: location, name: title } = upload;
    const source = await importSources.open({ ...toRequest(choice), location, title });
    source.close?.();
    return source.columns ?? [];
  } finally {
    await uploads.remove(upload);
  }
}

function toRequest(choice: ImportChoice) {
  const { format, langs, name, sheet } = choice;
  return {
    ...{ format, langs, ...readMatches(choice) },
    ...(name !== '' && { dataset: name }),
    ...(sheet !== '' && { sheet }),
  };
}

/** The file is removed when the import has ended. Errors: of opening a source, of starting. */
async function beginImport(
  { imports, importSources, uploadedImports, actor }: UploadContext,
  choice: ImportChoice,
  upload: Upload | null,
): Promise<ImportRecord> {
  const { langs, allowRemoval, rhythm, address } = choice;
  const request = toRequest(choice);
  const options = { allowRemoval, isCheck: choice.mode === 'check', asksForNewVersion: true, rhythm };
  if (upload !== null) return uploadedImports.begin(actor, upload, { request, options });
  const source = await importSources.open({ ...request, location: address });
  const onEnd = async () => source.close?.();
  try {
    return await imports.start(actor, source, { ...options, origin: { address, langs }, onEnd });
  } catch (error) {
    source.close?.();
    throw error;
  }
}
