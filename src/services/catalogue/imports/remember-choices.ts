import { AppError } from '#errors';
import type { ImportSources } from '#ports/imports';
import type { ImportRepository } from '#ports/store/store';

/** Wraps import sources so that they reuse the choices (map, sheet or page) of the latest import of
 *  the same dataset and format. Explicit choices take precedence; if the choices no longer fit the
 *  columns, the source opens without them. */
export function rememberImportChoices(
  sources: ImportSources,
  imports: Pick<ImportRepository, 'listImportsOf'>,
): ImportSources {
  return {
    ...sources,
    async open(request) {
      if (request.map !== undefined || request.sheet !== undefined || request.page !== undefined)
        return sources.open(request);
      const records = await imports.listImportsOf(sources.nameDataset(request));
      const choices = records.find((each) => each.format === request.format && each.choices !== null)?.choices;
      if (choices === undefined || choices === null) return sources.open(request);
      return sources.open({ ...request, ...choices }).catch((error: unknown) => {
        if (!(error instanceof AppError) || error.code !== 'IMPORT_INVALID') throw error;
        return sources.open(request);
      });
    },
  };
}
