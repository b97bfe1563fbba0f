import type { Actor } from '../../../domain/actor.ts';
import type { ImportRecord } from '../../../ports/store/store.ts';
import type { Upload } from '../../../ports/uploads.ts';
import type { AdminFaceDeps } from '../deps.ts';
import type { ImportChoice } from './import-form.ts';

type Deps = Pick<AdminFaceDeps, 'imports' | 'importSources' | 'uploads'>;

/** Begins what the form says; its file goes away when the import has ended. Errors: those of opening a source and of beginning an import. */
export async function beginImport(
  { imports, importSources, uploads }: Deps,
  actor: Actor,
  { choice, upload }: { readonly choice: ImportChoice; readonly upload: Upload | null },
): Promise<ImportRecord> {
  const { format, langs, allowRemoval } = choice;
  const location = upload?.path ?? choice.address;
  try {
    const source = await importSources.open({
      ...{ format, langs, location },
      ...(choice.name !== '' && { dataset: choice.name }),
      ...(upload !== null && { title: upload.name }),
    });
    const removing = upload === null ? {} : { onEnd: () => uploads.remove(upload) };
    return await imports.start(actor, source, { allowRemoval, ...removing });
  } catch (error) {
    if (upload !== null) await uploads.remove(upload);
    throw error;
  }
}
