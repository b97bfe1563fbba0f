import type { AdminFaceDeps } from '../deps.ts';
import { listModel, readListChoice } from '../lists/lists.ts';
import { type AdminRoute, page, type Reply, redirect, type SignedInContext } from '../route.ts';
import { importStates, viewImport } from './import-view.ts';

/** Every import there was, the newest first. */
export function importsRoutes({ imports, clock }: AdminFaceDeps): AdminRoute[] {
  const path = '/catalogue/imports';

  async function list({ query }: SignedInContext): Promise<Reply> {
    const choice = readListChoice(query, ['startedAt'], true);
    const found = await imports.listImports({ page: choice.page, pageSize: choice.pageSize });
    return page('imports', {
      list: listModel({ path, query, choice }, found),
      imports: found.items,
      ...importStates(clock.now()),
    });
  }

  return [{ method: 'get', path, access: 'viewer', handle: list }];
}

/** One import: how far it is, what it changed, which rows it could not use; stopping it and taking it back. */
export function importRoutes({ imports, clock }: AdminFaceDeps): AdminRoute[] {
  const load = ({ params }: SignedInContext) => imports.getImport(params.importId!);

  async function show(context: SignedInContext): Promise<Reply> {
    const record = await load(context);
    const now = clock.now();
    return page('import', {
      record,
      canUndo: await imports.canUndo(record),
      next: await imports.findNext(record),
      progress: viewImport(record, { ...context, now }),
      ...importStates(now),
    });
  }

  /** For the script of the page. */
  async function showProgress(context: SignedInContext): Promise<Reply> {
    return { kind: 'json', body: viewImport(await load(context), { ...context, now: clock.now() }) };
  }

  async function stop({ actor, params }: SignedInContext): Promise<Reply> {
    const { id } = await imports.stop(actor, params.importId!);
    return redirect(`/catalogue/imports/${id}`, 'import-stopped');
  }

  async function askUndo(context: SignedInContext): Promise<Reply> {
    const record = await load(context);
    if (!(await imports.canUndo(record))) return redirect(`/catalogue/imports/${record.id}`);
    return page('import-undo', { record });
  }

  async function undo({ actor, params }: SignedInContext): Promise<Reply> {
    const { id } = await imports.undo(actor, params.importId!);
    return redirect(`/catalogue/imports/${id}`, 'import-undone');
  }

  const path = '/catalogue/imports/:importId';
  return [
    { method: 'get', path, access: 'viewer', handle: show },
    { method: 'get', path: `${path}/progress`, access: 'viewer', handle: showProgress },
    { method: 'post', path: `${path}/stop`, access: 'owner', handle: stop },
    { method: 'get', path: `${path}/undo`, access: 'owner', handle: askUndo },
    { method: 'post', path: `${path}/undo`, access: 'owner', handle: undo },
  ];
}
