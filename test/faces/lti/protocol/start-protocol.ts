import type { Tool } from '../../../../demo/platform/model.ts';
import { DEFAULT_TENANT } from '../../../../src/domain/tenant.ts';
import type { LtiRegistrationRecord } from '../../../../src/ports/store/store.ts';
import { type FakePlatform, type FakePlatformOptions, startFakePlatform } from '../../../fakes/lti-platform.ts';
import { tester } from '../../../helpers/open-services.ts';
import { type LtiOptions, type RunningLti, startLti } from '../start-lti.ts';

export interface RunningProtocol {
  readonly lti: RunningLti;
  readonly platform: FakePlatform;
  readonly tool: Tool;
  readonly registration: LtiRegistrationRecord;
  close(): Promise<void>;
}

/** The LTI tool and a platform that it is registered at. */
export async function startProtocol(
  options: LtiOptions & FakePlatformOptions & { readonly acceptsNewDeployments?: boolean } = {},
): Promise<RunningProtocol> {
  const lti = await startLti(options);
  const platform = await startFakePlatform(options);
  const tool = platform.addTool(lti.url);
  const { acceptsNewDeployments = false } = options;
  const registration = await lti.services.ltiRegistrations.create(tester, {
    ...platform.detailsOf(tool.clientId),
    acceptsNewDeployments,
    tenantId: DEFAULT_TENANT,
    origin: 'manual',
    deploymentIds: [tool.deploymentId],
  });
  return {
    lti,
    platform,
    tool,
    registration,
    async close() {
      await platform.close();
      await lti.close();
    },
  };
}

/** The code that a page of the tool shows. */
export async function codeOf(response: Response): Promise<string> {
  const page = await response.text();
  return /<code>([A-Z_]{5,})<\/code>/.exec(page)?.[1] ?? page.slice(0, 300);
}
