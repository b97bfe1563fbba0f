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

/** Sessions of browsers that show, outside of a launch or a chat, a person's plans and the plans
 *  that colleagues share. Erasing the person ends them. */
export const createPersonSessions = (deps: PersonSessionsDeps) =>
  bindState(deps, { begin: beginPersonSession, find: findPersonSession, makeTicket, readTicket });

/** Begins a session of a week. @returns its token, for a cookie */
async function beginPersonSession({ savedStates, keyring }: PersonSessionsDeps, owner: ShelfOwner): Promise<string> {
  const id = randomBytes(ID_BYTES).toString('base64url');
  await savedStates.claim(owner, `session ${id}`, SESSION_MS);
  return keyring.seal(JSON.stringify([owner.tenantId, owner.person, id]), SESSION);
}

/** Returns whose session a token is for; null if it is over, or the tenant is not active. */
async function findPersonSession(deps: PersonSessionsDeps, token: string): Promise<ShelfOwner | null> {
  const session = openSealedPerson(deps.keyring, token, SESSION);
  if (session === null) return null;
  const { owner, detail: id } = session;
  const [isClaimed, tenant] = await Promise.all([
    deps.savedStates.isClaimed(owner, `session ${id}`),
    deps.tenants.findTenant(owner.tenantId),
  ]);
  return isClaimed && tenant?.status === 'active' ? owner : null;
}

/** Makes a ticket, valid for twelve hours, for links into a browser that has no session. */
function makeTicket({ keyring, clock }: PersonSessionsDeps, { tenantId, person }: ShelfOwner): string {
  return keyring.seal(JSON.stringify([tenantId, person, clock.now().getTime() + TICKET_MS]), TICKET);
}

/** Returns whose ticket this is; null if it is not a ticket or has expired. */
function readTicket({ keyring, clock }: PersonSessionsDeps, ticket: string): ShelfOwner | null {
  const opened = openSealedPerson(keyring, ticket, TICKET);
  return opened !== null && Number(opened.detail) > clock.now().getTime() ? opened.owner : null;
}

/** Returns the person and the last part of a sealed text: the ID of a session, or the end of a
 *  ticket in milliseconds. Null if this host did not seal it for this context. */
function openSealedPerson(keyring: Keyring, sealed: string, context: string) {
  try {
    const [tenantId, person, detail]: [string, string, string | number] = JSON.parse(keyring.open(sealed, context));
    return { owner: { tenantId, person }, detail };
  } catch (error) {
    if (hasErrorCode(error, 'SECRET_UNREADABLE')) return null;
    throw error;
  }
}
