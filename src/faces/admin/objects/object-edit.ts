import { AppError } from '#errors';
import { describePageProblem } from '#faces/object-view/page-problem';
import type { ObjectTarget } from '#services/catalogue/objects/object-changes';
import type { AdminDeps } from '../deps.ts';
import { type FormState, fillForm, keepTyped, readForm, refuseFormChange } from '../forms/forms.ts';
import { type AdminRoute, makePage, makeRedirect, type Reply, type SignedInContext } from '../route.ts';
import { addressForm, fillObjectForm, listObjectChoices, objectForm, objectLists } from './object-form.ts';

const PATH = '/tenants/:tenantId/objects';

interface Shown {
  readonly form: FormState;
  readonly target: ObjectTarget;
  readonly isNew: boolean;
  /** Whether the fields were read from the page of the object. */
  readonly isRead?: boolean;
  readonly status?: number;
}

const access = 'manager';

/** Editing an object, and adding one by its address, whose page fills in the fields, or by hand. */
export const objectEditRoutes: AdminRoute[] = [
  { method: 'get', path: `${PATH}/new`, access, handle: askObjectAddress },
  { method: 'post', path: `${PATH}/read`, access, handle: readObjectAddress },
  { method: 'post', path: `${PATH}/new`, access, handle: addObject },
  { method: 'get', path: `${PATH}/edit`, access, handle: showObjectEdit },
  { method: 'post', path: `${PATH}/edit`, access, handle: saveObject },
];

async function showObjectForm(
  { t, locale }: SignedInContext,
  { layerOf, local, tenants }: AdminDeps,
  shown: Shown,
): Promise<Reply> {
  const { form, target, isNew, isRead = false, status = 200 } = shown;
  const tenant = await tenants.getTenant(target.tenantId);
  const layer = await layerOf(tenant.id);
  const [codes, providers] = await Promise.all([
    local.ask('listLanguages', {}, { layer }),
    local.ask('listProviders', {}, { layer }),
  ]);
  const choices = listObjectChoices(
    form,
    codes.map(({ value }) => value),
    { t, locale },
  );
  const back = isNew ? `/tenants/${tenant.id}/objects` : objectAddress(tenant.id, target.url);
  const model = { tenant, form, isNew, isRead, forAll: target.forAll, choices, back: `/admin${back}` };
  return makePage('object-edit', { ...model, providers: providers.map(({ name }) => name) }, { status });
}

async function showObjectEdit(context: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { objects } = deps;
  const target = readObjectTarget(context);
  const { fields, version } = await objects.getEdited(target);
  return showObjectForm(context, deps, {
    form: fillObjectForm(target.url, fields, { version }),
    target,
    isNew: false,
  });
}

async function saveObject(context: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { languages, objects } = deps;
  const { form, t, actor } = context;
  const target = readObjectTarget(context);
  const read = readForm(form, { schema: objectForm, lists: objectLists, t });
  if ('state' in read) return showObjectForm(context, deps, { form: read.state, target, isNew: false, status: 422 });
  try {
    const version = Number(form.get('version'));
    await objects.edit(actor, target, { fields: read.data.fields, version });
    return makeRedirect(objectAddress(target.tenantId, target.url), 'object-edited');
  } catch (error) {
    const now = await objects.getEdited(target);
    const state = refuseFormChange(error, { form, t, languages, now });
    return showObjectForm(context, deps, { form: state, target, isNew: false, status: 422 });
  }
}

async function askObjectAddress({ param, query }: SignedInContext, { tenants }: AdminDeps): Promise<Reply> {
  const tenant = await tenants.getTenant(param('tenantId'));
  return makePage('object-new', { tenant, form: fillForm({ url: query.get('url') ?? '' }), failure: null });
}

/** Shows the form with the fields that the page states; saves nothing. */
async function readObjectAddress(context: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { readObjectPage, tenants } = deps;
  const { form, t, signedIn } = context;
  const target = readObjectTarget(context);
  const tenant = await tenants.getTenant(target.tenantId);
  const read = readForm(form, { schema: addressForm, t });
  if ('state' in read) return makePage('object-new', { tenant, form: read.state, failure: null }, { status: 422 });
  const { url } = read.data;
  if (form.get('how') === 'by-hand')
    return showObjectForm(context, deps, { form: fillObjectForm(url, {}), target, isNew: true });
  try {
    const page = await readObjectPage(url, {
      tenantId: tenant.id,
      isByOwner: signedIn.admin.role === 'owner',
    });
    return showObjectForm(context, deps, {
      form: fillObjectForm(page.url, page.fields),
      target,
      isNew: true,
      isRead: true,
    });
  } catch (error) {
    const failure = describePageProblem(error, t);
    return makePage('object-new', { tenant, form: keepTyped(form), failure }, { status: 422 });
  }
}

async function addObject(context: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { languages, objects } = deps;
  const { form, t, actor } = context;
  const target = readObjectTarget(context);
  const read = readForm(form, { schema: objectForm, lists: objectLists, t });
  if ('state' in read) return showObjectForm(context, deps, { form: read.state, target, isNew: true, status: 422 });
  const { url, fields } = read.data;
  try {
    await objects.add(actor, { ...target, url }, fields);
    return makeRedirect(objectAddress(target.tenantId, url), 'object-added');
  } catch (error) {
    const state = refuseFormChange(error, { form, t, languages, now: { version: 0 } });
    return showObjectForm(context, deps, { form: state, target, isNew: true, status: 422 });
  }
}

/** Reads the object of a request. Errors: ROLE_INSUFFICIENT if somebody other than an owner changes
 *  the object for every tenant. */
export function readObjectTarget({ param, query, form, signedIn }: SignedInContext): ObjectTarget {
  const say = (name: string) => form.get(name) ?? query.get(name) ?? '';
  const forAll = say('for') === 'all';
  if (forAll && signedIn.admin.role !== 'owner')
    throw new AppError('ROLE_INSUFFICIENT', 'Only owners of this host change an object for every tenant.');
  return { tenantId: param('tenantId'), forAll, url: say('url') };
}

/** Returns the path of the page of an object, below `/admin`. */
export function objectAddress(tenantId: string, url: string): string {
  return `/tenants/${tenantId}/objects?${new URLSearchParams({ url })}`;
}
