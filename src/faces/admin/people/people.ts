import { isInAdminScope } from '#domain/admin';
import { hasErrorCode } from '#errors';
import { createTenantAccessError } from '../access.ts';
import { fillForm } from '../forms/forms.ts';
import { get, makePage, makeRedirect, type PageOptions, post, type Reply, type SignedInContext } from '../route.ts';
import { addTenantNames } from '../tenants/tenant-lists.ts';

const PEOPLE = '/people';

/** What is stored about people. Their names and ids are in forms, but in no address and no log. */
export const peopleRoutes = [
  get(PEOPLE, 'manager', () => makePage('people', { text: '', people: null })),
  post(`${PEOPLE}/find`, 'manager', showPeopleSearch),
  post(`${PEOPLE}/person`, 'manager', (context) => showPerson(context)),
  post(`${PEOPLE}/export`, 'manager', downloadPersonExport),
  post(`${PEOPLE}/erase`, 'manager', erasePersonFromForm),
  // Reloading an answer by its address, or changing its language, shows the form.
  ...['find', 'person', 'erase'].map((page) => get(`${PEOPLE}/${page}`, 'manager', () => makeRedirect(PEOPLE))),
];

async function showPeopleSearch({ form, signedIn, personData, tenants }: SignedInContext): Promise<Reply> {
  const text = form.get('q') ?? '';
  const people = await personData.findPeople(signedIn.admin.tenants, text);
  return makePage('people', { text, people: await addTenantNames(tenants, people) });
}

/** Identifies the person whose account a form names. Errors: TENANT_UNKNOWN outside the scope. */
async function identifyPersonFromForm({ form, signedIn, personData }: SignedInContext) {
  const account = form.get('account') ?? '';
  const tenantId = form.get('tenant') || null;
  const { tenants } = signedIn.admin;
  if (tenantId === null ? tenants !== null : !isInAdminScope(tenants, tenantId))
    throw createTenantAccessError(tenantId ?? '');
  const isEmail = !/^(?:lti|slack|admin):/.test(account);
  return personData.identifyPerson({ tenantId, accounts: isEmail ? [] : [account], emails: isEmail ? [account] : [] });
}

async function showPerson(context: SignedInContext, problem: string | null = null, options: PageOptions = {}) {
  const { form, personData } = context;
  const data = await personData.readPersonData(await identifyPersonFromForm(context));
  const state = problem === null ? fillForm({}) : { ...fillForm({}), problems: { word: problem } };
  return makePage('person', { account: form.get('account'), tenant: form.get('tenant'), data, form: state }, options);
}

async function downloadPersonExport(context: SignedInContext): Promise<Reply> {
  const data = await context.personData.exportPerson(context.actor, await identifyPersonFromForm(context));
  const name = `person-${context.clock.now().toISOString().slice(0, 10)}.json`;
  const lines = [JSON.stringify(data, null, 2)];
  return { kind: 'download', name, type: 'application/json; charset=utf-8', lines };
}

async function erasePersonFromForm(context: SignedInContext): Promise<Reply> {
  const { form, t, personData, actor } = context;
  if ((form.get('word') ?? '').trim() !== t('myData.word'))
    return showPerson(context, t('myData.mistyped'), { status: 422 });
  try {
    const counts = await personData.erasePerson(actor, await identifyPersonFromForm(context));
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    return makeRedirect(PEOPLE, 'person-erased', total);
  } catch (error) {
    if (hasErrorCode(error, 'LAST_OWNER')) return showPerson(context, error.message, { status: 422 });
    throw error;
  }
}
