import { AppError } from '#errors';
import { describePageProblem } from '#faces/words/import-problems';
import type { ObjectTarget } from '#services/catalogue/objects/object-changes';
import { type FormState, fillForm, keepTyped, readForm, submitChange, submitForm } from '../forms/forms.ts';
import { get, makePage, makeRedirect, type PageReply, post, type Reply, type SignedInContext } from '../route.ts';
import { addressForm, fillObjectForm, listObjectChoices, objectForm, objectLists } from './object-form.ts';

const PATH = '/tenants/:tenantId/objects';

interface Shown {
  readonly form: FormState;
  readonly target: ObjectTarget;
  readonly isNew: boolean;
  /** Whether the fields were read from the page of the object. */
  readonly isRead?: boolean;
}

const access = 'manager';

export const objectEditRoutes = [
  get(`${PATH}/new`, access, askObjectAddress),
  post(`${PATH}/read`, access, readObjectAddress),
  post(`${PATH}/new`, access, addObject),
  get(`${PATH}/edit`, access, showObjectEdit),
  post(`${PATH}/edit`, access, saveObject),
];

async function showObjectForm(context: SignedInContext, view: Shown): Promise<PageReply> {
  const { form, target, isNew, isRead = false } = view;
  const { layerOf, local, tenants } = context;
  const tenant = await tenants.getTenant(target.tenantId);
  const layer = await layerOf(tenant.id);
  const [languages, providers] = await Promise.all([
    local.ask('listLanguages', {}, { layer }),
    local.ask('listProviders', {}, { layer }),
  ]);
  const codes = languages.map(({ value }) => value);
  const back = isNew ? `/tenants/${tenant.id}/objects` : objectAddress(tenant.id, target.url);
  return makePage('object-edit', {
    tenant,
    form,
    isNew,
    isRead,
    forAll: target.forAll,
    choices: listObjectChoices(form, codes, context),
    back: `/admin${back}`,
    providers: providers.map(({ name }) => name),
  });
}

async function showObjectEdit(context: SignedInContext): Promise<Reply> {
  const target = readObjectTarget(context);
  const { fields, version } = await context.objects.getEdited(target);
  const derived = context.concepts.deriveSkills({ ...fields, teaches: null });
  const form = fillObjectForm(target.url, fields, { version, derived });
  return showObjectForm(context, { form, target, isNew: false });
}

function saveObject(context: SignedInContext): Promise<Reply> {
  const { objects, form: sent, actor } = context;
  const target = readObjectTarget(context);
  return submitChange(context, {
    schema: objectForm,
    lists: objectLists,
    load: () => objects.getEdited(target),
    versionOf: ({ version }) => version,
    show: (_now, form) => showObjectForm(context, { form, target, isNew: false }),
    async save({ fields }) {
      await objects.edit(actor, target, { fields, version: Number(sent.get('version')) });
      return makeRedirect(objectAddress(target.tenantId, target.url), 'object-edited');
    },
  });
}

async function askObjectAddress({ param, query, tenants }: SignedInContext): Promise<Reply> {
  const tenant = await tenants.getTenant(param('tenantId'));
  return makePage('object-new', { tenant, form: fillForm({ url: query.get('url') ?? '' }), failure: null });
}

async function readObjectAddress(context: SignedInContext): Promise<Reply> {
  const { readObjectPage, tenants, form, t, signedIn } = context;
  const target = readObjectTarget(context);
  const tenant = await tenants.getTenant(target.tenantId);
  const read = readForm(context, addressForm);
  if ('state' in read) return makePage('object-new', { tenant, form: read.state, failure: null }, { status: 422 });
  const { url } = read.data;
  if (form.get('how') === 'by-hand')
    return showObjectForm(context, { form: fillObjectForm(url, {}), target, isNew: true });
  try {
    const isByOwner = signedIn.admin.role === 'owner';
    const page = await readObjectPage(url, { tenantId: tenant.id, isByOwner });
    const filled = fillObjectForm(page.url, page.fields);
    return await showObjectForm(context, { form: filled, target, isNew: true, isRead: true });
  } catch (error) {
    const failure = describePageProblem(error, t);
    return makePage('object-new', { tenant, form: keepTyped(form), failure }, { status: 422 });
  }
}

function addObject(context: SignedInContext): Promise<Reply> {
  const target = readObjectTarget(context);
  return submitForm(context, {
    schema: objectForm,
    lists: objectLists,
    show: (form) => showObjectForm(context, { form, target, isNew: true }),
    async save({ url, fields }) {
      await context.objects.add(context.actor, { ...target, url }, fields);
      return makeRedirect(objectAddress(target.tenantId, url), 'object-added');
    },
  });
}

/** Errors: ROLE_INSUFFICIENT, as only owners change an object for every tenant. */
export function readObjectTarget({ param, query, form, signedIn }: SignedInContext): ObjectTarget {
  const say = (name: string) => form.get(name) ?? query.get(name) ?? '';
  const forAll = say('for') === 'all';
  if (forAll && signedIn.admin.role !== 'owner')
    throw new AppError('ROLE_INSUFFICIENT', 'Only owners of this host change an object for every tenant.');
  return { tenantId: param('tenantId'), forAll, url: say('url') };
}

export function objectAddress(tenantId: string, url: string): string {
  return `/tenants/${tenantId}/objects?${new URLSearchParams({ url })}`;
}
