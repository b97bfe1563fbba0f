import type { DemoDeps } from '#load-demo';
import { createLtiPlatform, type LtiPlatform } from '../platform/lti-platform.ts';
import { createPlatformState, type PlatformState, type Tool } from '../platform/model.ts';
import { createPlatformKeys } from '../platform/platform-keys.ts';
import type { Refusal } from '../platform/request.ts';
import { plainTraits } from '../platform/traits.ts';
import { makeDemoAddresses } from './addresses.ts';
import { demoCourse, demoPeople, MAX_LINKS } from './demo-course.ts';
import { createDemoTool } from './demo-tool.ts';

/** The course site: one course for everyone who tries the host, kept in this process. */
export interface DemoSite {
  /** Where the host's front page is. */
  readonly hostUrl: string;
  readonly browserUrl: string;
  /** Where the host reaches itself. */
  readonly ownOrigin: string;
  readonly platform: LtiPlatform;
  readonly state: PlatformState;
  /** The tool of this host, which is registered when it is first needed. */
  tool(): Promise<Tool>;
  /** Of the tenant that the tool belongs to. */
  tenantId(): Promise<string>;
  /** An empty course, and a tool that remembers nothing of the one before. */
  reset(): Promise<void>;
}

export function createDemoSite(deps: DemoDeps): DemoSite {
  const addresses = makeDemoAddresses(deps);
  // Ids of links that an earlier process gave may still stand for objects in the store.
  const state = createPlatformState(demoPeople, [demoCourse], deps.clock.now().getTime());
  const demoTool = createDemoTool({ ...deps, addresses });
  const platform = createLtiPlatform({
    issuer: addresses.browserUrl,
    browserUrl: `${addresses.browserUrl}/lti`,
    serviceUrl: `${addresses.serviceUrl}/lti`,
    traits: plainTraits,
    state,
    keys: createPlatformKeys(),
    clock: deps.clock,
    maxLinks: MAX_LINKS,
    onRefusal: (refusal) => deps.onProblem(describe(refusal)),
  });

  function use(tool: Tool): Tool {
    // Links of a tool that is gone lead nowhere.
    if (!state.tools.has(tool.clientId)) for (const part of courseParts(state)) part.clear();
    state.tools.set(tool.clientId, tool);
    return tool;
  }

  return {
    hostUrl: deps.publicUrl,
    browserUrl: addresses.browserUrl,
    ownOrigin: addresses.toolServiceUrl,
    platform,
    state,
    tool: async () => use(await demoTool.ensure()),
    tenantId: () => demoTool.ensureTenant(),
    async reset() {
      use(await demoTool.renew());
    },
  };
}

const courseParts = ({ tools, links, lineItems, scores }: PlatformState) => [tools, links, lineItems, scores];

function describe({ endpoint, reason }: Refusal): Error {
  return new Error(`The demo course refused a request (${endpoint}): ${reason}`);
}
