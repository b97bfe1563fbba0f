import type { Languages } from '../../words/i18n.ts';
import type { AdminFaceDeps } from '../deps.ts';
import { type FormState, readForm, refusedForm } from '../forms/forms.ts';
import { type AdminRoute, page, type Reply, redirect, type UploadContext } from '../route.ts';
import { beginImport } from './begin-import.ts';
import { importForm, newImportForm, offeredFormats, placeOfFormat } from './import-form.ts';

/** Beginning an import from a file or an address. The catalogue is the whole host's, so this is for owners. */
export function importNewRoutes(deps: AdminFaceDeps, languages: Languages): AdminRoute[] {
  const show = (form: FormState, status = 200): Reply =>
    page('import-new', { form, formats: offeredFormats }, { status });

  async function begin({ form, t, actor, upload }: UploadContext): Promise<Reply> {
    const read = readForm(form, { schema: importForm(upload !== null), t });
    // The page asks for no file where an address is read, but one may have been chosen before.
    const isAsked = 'data' in read && placeOfFormat[read.data.format] !== 'address';
    if (upload !== null && !isAsked) await deps.uploads.remove(upload);
    if ('state' in read) return show(read.state, 422);
    try {
      const { id } = await beginImport(deps, actor, { choice: read.data, upload: isAsked ? upload : null });
      return redirect(`/catalogue/imports/${id}`);
    } catch (error) {
      return show(refusedForm(error, { form, t, languages }), 422);
    }
  }

  const path = '/catalogue/imports/new';
  return [
    {
      method: 'get',
      path,
      access: 'owner',
      handle: ({ query }) => show(newImportForm(query.get('format'))),
    },
    { method: 'post', path, access: 'owner', takesFile: true, handle: begin },
  ];
}
