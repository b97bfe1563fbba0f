import type { Actor } from '#domain/admin';
import { importFormats } from '#domain/catalog';
import type { Upload } from '#ports/imports';
import type { ImportRecord } from '#ports/store/store';
import type { AdminDeps, AdminFaceDeps } from '../deps.ts';
import { type FormState, readForm, refuseForm } from '../forms/forms.ts';
import { makeCsvDownload } from '../lists/csv.ts';
import {
  type AdminRoute,
  makePage,
  makeRedirect,
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
} from './import-form.ts';

const path = '/imports/new';

/** Beginning an import from a file or an address. The catalogue is the whole host's, so this is for
 *  owners. */
export const newImportRoutes: AdminRoute[] = [
  {
    method: 'get',
    path,
    access: 'owner',
    handle: ({ query }, deps) => showImportForm(deps, fillNewImportForm(query.get('format'))),
  },
  { method: 'post', path, access: 'owner', takesFile: true, handle: submitImport },
  { method: 'get', path: `${path}/template/:format`, access: 'viewer', handle: downloadTemplate },
];

async function showImportForm(deps: AdminDeps, form: FormState, status = 200): Promise<Reply> {
  const listed = offeredFormats.map(async (format) => ({
    format,
    columns: await deps.importSources.listColumns(format),
  }));
  const tables = (await Promise.all(listed)).filter(({ columns }) => columns.length > 0);
  return makePage(
    'import-new',
    { form, formats: offeredFormats, tables, rhythms: offeredRhythms },
    { status },
  );
}

/** A table with its columns, and a row that shows how they are filled. */
async function downloadTemplate({ param }: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const format = importFormats.find((each) => each === param('format'));
  const columns = format === undefined ? [] : await deps.importSources.listColumns(format);
  if (columns.length === 0) return makeRedirect(path);
  const cells = columns.map(({ name, example }) => ({ heading: name, value: () => example }));
  return makeCsvDownload(`${format}.csv`, cells, [null]);
}

async function submitImport({ form, t, actor, upload }: UploadContext, deps: AdminDeps): Promise<Reply> {
  const { languages } = deps;
  const read = readForm(form, { schema: createImportForm(upload !== null), t });
  // The page does not ask for a file where an address is read, but one may have been chosen
  // before.
  const isAsked = 'data' in read && placeOfFormat[read.data.format] !== 'address';
  if (upload !== null && !isAsked) await deps.uploads.remove(upload);
  if ('state' in read) return showImportForm(deps, read.state, 422);
  try {
    const { id } = await beginImport(deps, actor, { choice: read.data, upload: isAsked ? upload : null });
    return makeRedirect(`/imports/${id}`);
  } catch (error) {
    return showImportForm(deps, refuseForm(error, { form, t, languages }), 422);
  }
}

/** Begin the import that the form describes; its file is removed when the import has ended. Errors:
 *  those of opening a source and of beginning an import. */
async function beginImport(
  { imports, importSources, uploadedImports }: AdminFaceDeps,
  actor: Actor,
  { choice, upload }: { readonly choice: ImportChoice; readonly upload: Upload | null },
): Promise<ImportRecord> {
  const { format, langs, allowRemoval, rhythm, address } = choice;
  const request = { format, langs, ...(choice.name !== '' && { dataset: choice.name }) };
  const options = { allowRemoval, isCheck: choice.mode === 'check', rhythm };
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
