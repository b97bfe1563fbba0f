import { isInScope } from '#domain/admin';
import { toAdminPerson } from '#domain/assistants';
import { AppError } from '#errors';
import type { ShelfOwner } from '#ports/store/store';
import type { GrantView } from '#services/tenants/assistants/assistants';
import { createTenantAccessError } from '../access.ts';
import { get, makePage, makeRedirect, post, type Reply, type SignedInContext } from '../route.ts';

/** More than anyone has. */
const MAX_OWN = 200;

/** What the reader can do something about is said on the page. */
const sayable = ['LINK_CODE_INVALID', 'LINK_CODE_THROTTLED', 'SHELF_FULL', 'CHANGED_MEANWHILE'];

interface Shelf {
  readonly tenantId: string;
  readonly tenantName: string;
  /** In how many course sites the person is known. */
  readonly courses: number;
  readonly others: number;
  readonly problem: string | null;
}

/** One's own assistants, each of which can be ended, and the shelf that they use: linked with those
 *  in a course and in Slack. */
export const personalAssistantsRoutes = [
  get('/account/assistants', 'viewer', showPersonalAssistants),
  post('/account/assistants/shelf', 'viewer', linkPersonalAssistants),
  post('/account/assistants/:grantId/end', 'viewer', endPersonalAssistant),
];

async function showPersonalAssistants(
  context: SignedInContext,
  problem: { tenantId: string; text: string } | null = null,
): Promise<Reply> {
  const { items } = await listOwn(context);
  const shelves = await readShelves(context, items);
  return makePage(
    'personal-assistants',
    {
      grants: items,
      shelves: shelves.map((shelf) => ({
        ...shelf,
        problem: shelf.tenantId === problem?.tenantId ? problem.text : null,
      })),
    },
    { status: problem === null ? 200 : 422 },
  );
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
    if (!(error instanceof AppError) || !sayable.includes(error.code)) throw error;
    return showPersonalAssistants(context, {
      tenantId,
      text: t(`ownAssistants.problems.${error.code}`, error.data),
    });
  }
}

const ownerOf = ({ signedIn }: Pick<SignedInContext, 'signedIn'>, tenantId: string): ShelfOwner => ({
  tenantId,
  person: toAdminPerson(signedIn.admin.id),
});

function listOwn({ signedIn, assistants }: SignedInContext) {
  return assistants.grants.list({
    ...{ scope: null, adminId: signedIn.admin.id, search: '' },
    ...{ sort: 'createdAt', descending: true, page: 0, pageSize: MAX_OWN },
  });
}

/** One for each tenant in which an assistant is connected. */
async function readShelves(context: SignedInContext, grants: readonly GrantView[]): Promise<readonly Shelf[]> {
  const { tenants, selections, people } = context;
  const ids = [...new Set(grants.map(({ tenantId }) => tenantId))];
  return Promise.all(
    ids.map(async (tenantId) => {
      const owner = ownerOf(context, tenantId);
      const [tenant, courses, others] = await Promise.all([
        tenants.findTenant(tenantId),
        selections.countCourses(owner),
        people.countLinked(owner),
      ]);
      return { tenantId, tenantName: tenant?.name ?? tenantId, courses, others, problem: null };
    }),
  );
}
