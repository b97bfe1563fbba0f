import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { findNetworkOf } from '#domain/address-kinds';
import { isAssistantRedirect, isMetadataAddress, MAX_ASSISTANT_NAME } from '#domain/assistants';
import { limitConcurrency } from '#domain/async/limit-concurrency';
import { toForeignText } from '#domain/text';
import type { Clock } from '#ports/clock';
import type { Outbound } from '#ports/outbound';
import type { AssistantClientRecord, Store } from '#ports/store/store';
import { bindState } from '#services/host/bind-state';
import type { RateLimiter } from '#services/host/rate-limits';
import { createRateLimitError, createRateLimiter, requireRatePoint } from '#services/host/rate-limits';
import { createRefusedError } from './access.ts';

export interface AssistantClient {
  /** An ID of this host, or the address of its metadata document. */
  readonly id: string;
  /** The name that it gives itself, unverified. */
  readonly name: string;
  readonly redirectUris: readonly string[];
}

const REGISTRATIONS = { name: 'assistant-registration', points: 60, windowSeconds: 3_600 } as const;
/** Limit for reading documents that are not in the cache. */
const DOCUMENTS = { name: 'assistant-document', points: 10, windowSeconds: 60 } as const;
const AT_ONCE = { running: 2, waiting: 20 };
const MAX_CLIENTS = 10_000;
const MAX_REDIRECTS = 10;
/** Age of clients without a grant that are removed: assistants ask right after they register. */
const IDLE_MS = 3_600_000;
/** How long documents are cached, and how many. */
const DOCUMENT_MS = 10 * 60_000;
const MAX_DOCUMENTS = 500;
const MAX_BYTES = 16 * 1_024;

interface ClientsDeps extends Pick<Store, 'assistants' | 'rateCounters'> {
  readonly outbound: Outbound;
  readonly clock: Clock;
}

interface ClientsState extends ClientsDeps {
  readonly documents: LRUCache<string, AssistantClient>;
  readonly registrationLimit: RateLimiter;
  readonly documentLimit: RateLimiter;
}

export function createAssistantClients(deps: ClientsDeps) {
  const { assistants, outbound, rateCounters, clock } = deps;
  const inTurn = limitConcurrency({
    ...AT_ONCE,
    tooMany: () => createRateLimitError(DOCUMENTS.points, 10_000, writeTooManyClients),
  });
  const state: ClientsState = {
    ...deps,
    documents: new LRUCache({
      max: MAX_DOCUMENTS,
      ttl: DOCUMENT_MS,
      perf: { now: () => clock.now().getTime() },
      fetchMethod: (id) => inTurn(() => readClientDocument(outbound, id)),
    }),
    registrationLimit: createRateLimiter(rateCounters, clock, REGISTRATIONS),
    documentLimit: createRateLimiter(rateCounters, clock, DOCUMENTS),
  };
  return {
    ...bindState(state, { register: registerClient, get: getClient }),
    noteUse: (id: string) => assistants.noteAssistantClientUse(id, clock.now()),
  };
}

export type AssistantClients = ReturnType<typeof createAssistantClients>;

/** Registers the assistant of any caller. There are at most 10,000: those without a grant are
 *  removed after an hour. Errors: ASSISTANT_REFUSED (`invalid_redirect_uri`); RATE_LIMITED after 60
 *  in an hour from one network, or if there is no room. */
async function registerClient(
  state: ClientsState,
  { name, redirectUris }: Omit<AssistantClient, 'id'>,
  address: string,
): Promise<AssistantClientRecord> {
  checkClientRedirects(redirectUris);
  // By network, as whoever has one IPv6 address has 2^64 of them.
  await requireRatePoint(state.registrationLimit, findNetworkOf(address), writeTooManyClients);
  await makeRoomForClient(state);
  const times = { createdAt: state.clock.now(), lastUsedAt: null };
  const record = { id: randomUUID(), name: cleanClientName(name), redirectUris, ...times };
  await state.assistants.addAssistantClient(record);
  return record;
}

async function makeRoomForClient({ assistants, clock }: ClientsDeps): Promise<void> {
  if ((await assistants.countAssistantClients()) < MAX_CLIENTS) return;
  await assistants.removeEndedAssistantGrants(clock.now());
  const removed = await assistants.removeIdleAssistantClients(new Date(clock.now().getTime() - IDLE_MS));
  if (removed === 0) throw createRateLimitError(REGISTRATIONS.points, IDLE_MS, writeTooManyClients);
}

/** Returns a registered client, or that of a metadata document. A stranger who names another
 *  document in each request makes this host call any address, so one network gets ten documents a
 *  minute, and two are read at a time. Errors: ASSISTANT_REFUSED (`invalid_client`) for an unknown
 *  client or an unreadable document; RATE_LIMITED.
 *  @param address is that of the caller */
async function getClient(state: ClientsState, id: string, address: string): Promise<AssistantClient> {
  const client = isMetadataAddress(id)
    ? await getClientDocument(state, id, address)
    : await state.assistants.findAssistantClient(id);
  if (client) return client;
  throw createRefusedError('invalid_client', 'No assistant with this ID is registered here. Connect it again.');
}

async function getClientDocument({ documents, documentLimit }: ClientsState, id: string, address: string) {
  const existing = documents.get(id);
  if (existing !== undefined) return existing;
  await requireRatePoint(documentLimit, findNetworkOf(address), writeTooManyClients);
  return documents.fetch(id);
}

const cleanClientName = (name: string): string => toForeignText(name, MAX_ASSISTANT_NAME) || 'Assistant';

function checkClientRedirects(uris: readonly string[]): void {
  if (uris.length >= 1 && uris.length <= MAX_REDIRECTS && uris.every(isAssistantRedirect)) return;
  throw createRefusedError(
    'invalid_redirect_uri',
    `1 to ${MAX_REDIRECTS} addresses are needed: https, http on a loopback address, or a scheme of the program itself, without a fragment.`,
  );
}

/** Reads the metadata document of an assistant, whose address is its ID. Any stranger may choose
 *  that address, so only public addresses are called: behind a proxy, all callers seem to be on
 *  this machine. Local programs register instead. Errors: ASSISTANT_REFUSED.
 *  Source: draft-ietf-oauth-client-id-metadata-document. */
async function readClientDocument(outbound: Outbound, id: string): Promise<AssistantClient> {
  try {
    const { status, text } = await outbound.request(id, {
      headers: { accept: 'application/json' },
      maxBytes: MAX_BYTES,
      isByStranger: true,
    });
    const metadata = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const { client_id, client_name, redirect_uris, token_endpoint_auth_method: method = 'none' } = metadata;
    if (status !== 200 || client_id !== id || method !== 'none') throw new TypeError('it is not its document');
    if (!Array.isArray(redirect_uris) || !redirect_uris.every((uri) => typeof uri === 'string'))
      throw new TypeError('it names no addresses');
    checkClientRedirects(redirect_uris);
    const name = typeof client_name === 'string' ? client_name : new URL(id).hostname;
    return { id, name: cleanClientName(name), redirectUris: redirect_uris };
  } catch (cause) {
    throw createRefusedError(
      'invalid_client',
      'The document at the address that this assistant has as its id cannot be used. Its makers have to look at it.',
      cause,
    );
  }
}

const writeTooManyClients = () => 'Too many new assistants have come here in a short time. Try again later.';
