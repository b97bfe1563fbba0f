import { setTimeout as wait } from 'node:timers/promises';
import type { Router } from 'express';
import { createStrictRouter } from '#faces/strict-paths';
import type { Clock } from '#ports/clock';
import { createActs, type SlackActs } from './acts/acts.ts';
import { approve, cancel, readPermissionRequest } from './authorize.ts';
import { createConversations } from './conversations.ts';
import { type Ack, createDeliver } from './deliveries.ts';
import { createGrants, type Grant } from './grants.ts';
import type { SlackParts } from './parts.ts';
import { createPayloads } from './payloads.ts';
import { refuseAct } from './refusal.ts';
import { createResponseUrls } from './response-urls.ts';
import { createTriggers } from './triggers.ts';
import { createViews } from './views.ts';
import type { Call } from './web-api/method.ts';
import { createThrottle, type Throttling } from './web-api/throttle.ts';
import { createWebApi } from './web-api/web-api.ts';
import type { ConnectedApp, SlackWorld } from './world.ts';

/** A Slack in this process: people in workspaces on one side, one app on the other. Strict: what the real one would refuse it
 *  refuses, and reports. Everything in it is bounded, and gone with the process. */
export interface Slack extends Pick<SlackParts, 'world' | 'conversations' | 'views' | 'grants' | 'app'> {
  /** `/api/<method>` and `/responses/…`, to be mounted at `url`. */
  readonly router: Router;
  readonly acts: SlackActs;
  connect(app: ConnectedApp): void;
  /** Without OAuth. */
  install(place: { readonly placeId: string; readonly userId: string }, scopes: readonly string[]): Grant;
  /** Kills the token, and tells the app with these events, in their order. */
  uninstall(grant: Grant, events: readonly RevocationEvent[]): Promise<readonly Ack[]>;
  /** What the app's link to Slack's page leads to. */
  approve(authorizeUrl: string, place: { readonly placeId: string; readonly userId: string }): string;
  cancel(authorizeUrl: string): string;
  throttle(throttling: Throttling): void;
  /** Resolves when nothing is being sent to the app any more. */
  settle(): Promise<void>;
}

export type RevocationEvent = 'app_uninstalled' | 'tokens_revoked';

export interface SlackOptions {
  readonly world: SlackWorld;
  readonly clock: Clock;
  /** Where the app reaches the router, without a slash at the end. */
  readonly url: string;
  /** 3,000 when absent, as Slack has it. */
  readonly ackTimeoutMs?: number | undefined;
  /** Told of everything that is against Slack's rules. */
  onProblem(problem: string): void;
  onCall?(method: string, call: Call): void;
  /** Told when people see something else than before. */
  onChange?(): void;
}

const ACK_TIMEOUT_MS = 3000;
/** An answer that is on its way is shown before what the app asks after it; one that is not there by then comes later. */
const IN_ORDER_MS = 50;

export function createSlack(options: SlackOptions): Slack {
  const { world, clock, url, onProblem, onCall = () => {}, onChange = () => {} } = options;
  let connected: ConnectedApp | null = null;
  const sent = new Set<Promise<unknown>>();
  const app = () => connected ?? refuseAct('no app is connected');
  const conversations = createConversations(clock, onChange);
  const grants = createGrants(world, clock);
  const deliver = createDeliver({ onProblem, ackTimeoutMs: options.ackTimeoutMs ?? ACK_TIMEOUT_MS });
  const throttle = createThrottle();
  const parts: SlackParts = {
    world,
    clock,
    conversations,
    views: createViews(onChange),
    grants,
    triggers: createTriggers(clock),
    responseUrls: createResponseUrls({ clock, url, conversations, onProblem }),
    payloads: createPayloads({ world, grants }),
    app,
    deliver: (delivery) => tracked(deliver(app(), delivery)),
    onRevoked: (grant, events) => void tracked(sendRevoked(grant, events)),
    onProblem,
    onChange,
  };
  const acts = createActs(parts);

  function tracked<T>(work: Promise<T>): Promise<T> {
    const end = work.then(
      () => void sent.delete(end),
      () => void sent.delete(end),
    );
    sent.add(end);
    return work;
  }

  async function sendRevoked(grant: Grant, events: readonly RevocationEvent[]): Promise<readonly Ack[]> {
    const acks: Ack[] = [];
    for (const type of events) acks.push(await acts.revoked(grant, type));
    return acks;
  }

  const readLink = (link: string) => readPermissionRequest(parts, new URL(link).searchParams);

  return {
    ...parts,
    router: createStrictRouter().use(
      async (_request, _response, next) => {
        await Promise.race([Promise.all(sent), wait(IN_ORDER_MS)]);
        next();
      },
      createWebApi(parts, { throttle, onCall }),
    ),
    acts,
    connect(settings) {
      connected = settings;
    },
    install: (place, scopes) => grants.install({ app: app(), ...place, scopes }),
    uninstall(grant, events) {
      grants.revoke(grant);
      return tracked(sendRevoked(grant, events));
    },
    approve: (link, place) => approve(parts, readLink(link), place),
    cancel: (link) => cancel(readLink(link)),
    throttle: throttle.add,
    async settle() {
      while (sent.size > 0) await Promise.all(sent);
    },
  };
}
