import { randomUUID } from 'node:crypto';
import type { Tool } from '../../../demo/platform/model.ts';
import { claim } from '../../../demo/platform/vocabulary.ts';
import type { PlatformDetails } from '../../../src/domain/lti/registration.ts';
import type { Forgery } from '../../fakes/lti/keys.ts';
import { type FakeTool, startFakeTool } from '../../fakes/lti/tool.ts';
import { type FakePlatform, type FakePlatformOptions, startFakePlatform } from '../../fakes/lti-platform.ts';

export interface ReturnWish {
  readonly items?: unknown;
  readonly claims?: Record<string, unknown>;
  readonly forgery?: Forgery;
  readonly placement?: string;
}

/** The platform with a small tool that is registered there. */
export interface TestedPlatform {
  readonly platform: FakePlatform;
  readonly tool: FakeTool;
  readonly registered: Tool;
  readonly details: PlatformDetails;
  /** A token for the scopes. */
  token(scope: string): Promise<string>;
  /** Begins a choice and gives items back. */
  choose(wish?: ReturnWish): Promise<Response>;
  /** The status and the reasons of what was refused last. */
  lastRefusal(): string;
  close(): Promise<void>;
}

export async function startPlatform(options?: FakePlatformOptions): Promise<TestedPlatform> {
  const platform = await startFakePlatform(options);
  const tool = await startFakeTool();
  const registered = platform.addTool(tool.url);
  const details = platform.detailsOf(registered.clientId);
  tool.trust(details.authorizationEndpoint);
  return {
    platform,
    tool,
    registered,
    details,
    async token(scope) {
      const { tokenEndpoint, clientId } = details;
      const response = await tool.requestToken({ tokenEndpoint, clientId, scope });
      return ((await response.json()) as { access_token: string }).access_token;
    },
    async choose({ items = [], claims = {}, forgery, placement } = {}) {
      const { claims: asked } = await platform.prepareLaunch(placement === undefined ? {} : { placement });
      const settings = asked[claim.deepLinkingSettings] as { deep_link_return_url: string; data?: string };
      const now = Math.floor(Date.now() / 1000);
      const answer = {
        iss: details.clientId,
        aud: details.issuer,
        iat: now,
        exp: now + 300,
        nonce: randomUUID(),
        [claim.messageType]: 'LtiDeepLinkingResponse',
        [claim.version]: '1.3.0',
        [claim.deploymentId]: registered.deploymentId,
        [claim.contentItems]: items,
        ...(settings.data !== undefined && { [claim.data]: settings.data }),
        ...claims,
      };
      return platform.returnChoice(settings.deep_link_return_url, await tool.sign(answer, forgery));
    },
    lastRefusal() {
      const last = platform.refusals.at(-1);
      return last === undefined ? 'nothing was refused' : `${last.status} ${last.reason}`;
    },
    async close() {
      await tool.close();
      await platform.close();
    },
  };
}
