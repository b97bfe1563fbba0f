import type { Languages } from '../../words/i18n.ts';
import type { AdminFaceDeps } from '../deps.ts';
import { type FormState, readForm } from '../forms/forms.ts';
import { beginImport } from '../imports/begin-import.ts';
import { importForm, newImportForm, offeredFormats, placeOfFormat } from '../imports/import-form.ts';
import { refusedImport } from '../imports/refused-import.ts';
import { type AdminRoute, page, type Reply, redirect, type UploadContext } from '../route.ts';

/** Beginning an import from a file or an address. The catalogue is the whole host's, so this is for owners. */
export function importNewRoutes(deps: AdminFaceDeps, languages: Languages): AdminRoute[] {
  const show = (form: FormState, status = 200): Reply =>
    page('import-new', { form, formats: offeredFormats, placeOfFormat }, { status });

  async function begin({ form, t, actor, upload }: UploadContext): Promise<Reply> {
    const read = readForm(form, { schema: importForm(upload !== null), t });
    if ('state' in read) {
      if (upload !== null) await deps.uploads.remove(upload);
      return show(read.state, 422);
    }
    try {
      const { id } = await beginImport(deps, actor, { choice: read.data, upload });
      return redirect(`/catalogue/imports/${id}`);
    } catch (error) {
      return show(refusedImport(error, { form, t, languages }), 422);
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
