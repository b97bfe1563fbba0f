import { isInScope } from '#domain/admin';
import { toAdminPerson } from '#domain/assistants';
import { AppError } from '#errors';
import type { ShelfOwner } from '#ports/store/store';
import { createTenantAccessError } from '../access.ts';
import { get, makePage, makeRedirect, post, type Reply, type SignedInContext } from '../route.ts';

const MAX_ASSISTANTS = 200;

/** Errors that the reader can do something about are shown on the page. */
const shownCodes = ['LINK_CODE_INVALID', 'LINK_CODE_THROTTLED', 'SHELF_FULL', 'CHANGED_MEANWHILE'];

/** One's assistants, each of which can be ended, and their shelf, linked with courses and Slack. */
export const personalAssistantsRoutes = [
  get('/account/assistants', 'viewer', (context) => showPersonalAssistants(context)),
  post('/account/assistants/shelf', 'viewer', linkPersonalAssistants),
  post('/account/assistants/:grantId/end', 'viewer', endPersonalAssistant),
];

async function showPersonalAssistants(
  context: SignedInContext,
  problem: { readonly tenantId: string; readonly text: string } | null = null,
): Promise<Reply> {
  const { items: grants } = await context.assistants.grants.list({
    ...{ scope: null, adminId: context.signedIn.admin.id, search: '' },
    ...{ sort: 'createdAt', descending: true, page: 0, pageSize: MAX_ASSISTANTS },
  });
  // One for each tenant in which an assistant is connected.
  const tenantIds = [...new Set(grants.map(({ tenantId }) => tenantId))];
  const shelves = await Promise.all(tenantIds.map((tenantId) => describeShelf(context, tenantId)));
  const withProblems = shelves.map((shelf) => {
    return { ...shelf, problem: shelf.tenantId === problem?.tenantId ? problem.text : null };
  });
  return makePage('personal-assistants', { grants, shelves: withProblems }, { status: problem === null ? 200 : 422 });
}

/** In how many course sites of the tenant the person has a shelf, and how many share it. */
async function describeShelf(context: SignedInContext, tenantId: string) {
  const owner = ownerOf(context, tenantId);
  const [tenant, courses, others] = await Promise.all([
    context.tenants.findTenant(tenantId),
    context.selections.countCourses(owner),
    context.people.countLinked(owner),
  ]);
  return { tenantId, tenantName: tenant?.name ?? tenantId, courses, others };
}

async function endPersonalAssistant({ param, signedIn, actor, assistants }: SignedInContext): Promise<Reply> {
  const grant = await assistants.grants.find(param('grantId'));
  if (grant?.adminId === signedIn.admin.id) await assistants.grants.end(actor, grant.id);
  return makeRedirect('/account/assistants', 'assistant-ended');
}

async function linkPersonalAssistants(context: SignedInContext): Promise<Reply> {
  const { people, form, t, signedIn } = context;
  const tenantId = form.get('tenant') ?? '';
  if (!isInScope(signedIn.admin.tenants, tenantId)) throw createTenantAccessError(tenantId);
  const owner = ownerOf(context, tenantId);
  if (form.get('action') === 'unlink') {
    await people.unlink(owner);
    return makeRedirect('/account/assistants', 'shelf-unlinked');
  }
  const code = (form.get('code') ?? '').trim();
  if (code === '') return showPersonalAssistants(context, { tenantId, text: t('problems.required') });
  try {
    await people.link(owner, code);
    return makeRedirect('/account/assistants', 'shelf-linked');
  } catch (error) {
    if (!(error instanceof AppError) || !shownCodes.includes(error.code)) throw error;
    const text = t(`ownAssistants.problems.${error.code}`, error.data);
    return showPersonalAssistants(context, { tenantId, text });
  }
}

const ownerOf = ({ signedIn }: SignedInContext, tenantId: string): ShelfOwner => ({
  tenantId,
  person: toAdminPerson(signedIn.admin.id),
});
