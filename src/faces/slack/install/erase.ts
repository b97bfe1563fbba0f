import { setTimeout as wait } from 'node:timers/promises';
import type { SlackConnection } from '../connection.ts';
import type { SlackFaceDeps } from '../deps.ts';

export interface EraseDeps
  extends Pick<SlackConnection, 'erase'>,
    Pick<SlackFaceDeps, 'clock' | 'onProblem'> {
  /** Aborted when the host stops. */
  readonly closing: AbortSignal;
}

/** Slack has its acknowledgement already and will not send the event again. What fails for longer is left to
 *  `look-over.ts`. */
const PAUSES_MS = [0, 1_000, 5_000, 15_000, 60_000, 120_000, 300_000, 600_000];

/** The events that tell that the app is gone. They come in any order, and more than once. */
interface RemovalBody {
  readonly team_id?: string;
  readonly enterprise_id?: string | null;
  readonly is_enterprise_install?: boolean;
  readonly authorizations?: readonly {
    readonly team_id?: string | null;
    readonly enterprise_id?: string | null;
    readonly is_enterprise_install?: boolean;
  }[];
  /** Seconds since 1970. */
  readonly event_time?: number;
  readonly event?: { readonly tokens?: { readonly bot?: readonly string[] } };
}

/** The app was removed from a workspace, or from an organisation. */
export async function eraseUninstalled(deps: EraseDeps, given: object): Promise<void> {
  const body = given as RemovalBody;
  const id = idOf(body);
  if (id === null) return;
  // Times of Slack are cut to seconds.
  const removedAt =
    body.event_time === undefined ? deps.clock.now() : new Date(body.event_time * 1_000 + 999);
  await untilDone(() => deps.erase(id, removedAt), deps);
}

/** When the host stops, the pause ends with one more try. */
async function untilDone(erase: () => Promise<unknown>, { closing, onProblem }: EraseDeps): Promise<void> {
  for (const pauseMs of PAUSES_MS) {
    await wait(pauseMs, undefined, { ref: false, signal: closing }).catch(() => undefined);
    try {
      return void (await erase());
    } catch (error) {
      onProblem(error);
    }
    if (closing.aborted) return;
  }
}

/** Tokens of people do not matter here; without the token of the app, the app is gone. */
export async function eraseRevoked(deps: EraseDeps, given: object): Promise<void> {
  const { event } = given as RemovalBody;
  if ((event?.tokens?.bot ?? []).length > 0) await eraseUninstalled(deps, given);
}

function idOf(body: RemovalBody): string | null {
  const { team_id, enterprise_id, is_enterprise_install } = body.authorizations?.[0] ?? body;
  const isOrganisation = is_enterprise_install ?? body.is_enterprise_install ?? false;
  return (isOrganisation ? (enterprise_id ?? body.enterprise_id) : (team_id ?? body.team_id)) ?? null;
}
