import { randomBytes } from 'node:crypto';
import { hasErrorCode } from '#errors';
import type { Clock } from '#ports/clock';
import type { ShelfOwner, Store } from '#ports/store/store';
import { bindState } from '#services/host/bind-state';
import type { Keyring } from '#services/host/keyring';
import type { SavedStates } from './saved-states.ts';

interface PersonSessionsDeps {
  readonly savedStates: Pick<SavedStates, 'claim' | 'isClaimed'>;
  readonly keyring: Keyring;
  readonly tenants: Pick<Store['tenants'], 'findTenant'>;
  readonly clock: Clock;
}

const SESSION = 'session of a person';
const SESSION_MS = 7 * 86_400_000;
const TICKET = 'ticket of a person';
const TICKET_MS = 12 * 3_600_000;
const ID_BYTES = 12;

/** Browsers that know their person: outside of a launch or a chat, they show that person's plans,
 *  and what others of the institution share. Sessions end with everything else of the person. */
export const createPersonSessions = (deps: PersonSessionsDeps) =>
  bindState(deps, { begin: beginSession, find: findSession, makeTicket, readTicket });

/** For a week. @returns a token for a cookie */
async function beginSession({ savedStates, keyring }: PersonSessionsDeps, owner: ShelfOwner): Promise<string> {
  const id = randomBytes(ID_BYTES).toString('base64url');
  await savedStates.claim(owner, `session ${id}`, SESSION_MS);
  return keyring.seal(JSON.stringify([owner.tenantId, owner.person, id]), SESSION);
}

/** Null if the session is over, or the tenant is not active. */
async function findSession(deps: PersonSessionsDeps, token: string): Promise<ShelfOwner | null> {
  const session = openPersonSession(deps.keyring, token, SESSION);
  if (session === null) return null;
  const { owner, rest } = session;
  const [isClaimed, tenant] = await Promise.all([
    deps.savedStates.isClaimed(owner, `session ${rest}`),
    deps.tenants.findTenant(owner.tenantId),
  ]);
  return isClaimed && tenant?.status === 'active' ? owner : null;
}

/** For links that a person follows into a browser without a session; valid for twelve hours. */
function makeTicket({ keyring, clock }: PersonSessionsDeps, { tenantId, person }: ShelfOwner): string {
  return keyring.seal(JSON.stringify([tenantId, person, clock.now().getTime() + TICKET_MS]), TICKET);
}

/** Null if the text is not a ticket, or too old. */
function readTicket({ keyring, clock }: PersonSessionsDeps, ticket: string): ShelfOwner | null {
  const opened = openPersonSession(keyring, ticket, TICKET);
  return opened !== null && Number(opened.rest) > clock.now().getTime() ? opened.owner : null;
}

function openPersonSession(keyring: Keyring, sealed: string, context: string) {
  try {
    const [tenantId, person, rest]: readonly [string, string, string | number] = JSON.parse(
      keyring.open(sealed, context),
    );
    return { owner: { tenantId, person }, rest };
  } catch (error) {
    if (hasErrorCode(error, 'SECRET_UNREADABLE')) return null;
    throw error;
  }
}
