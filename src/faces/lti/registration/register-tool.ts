import { z } from 'zod';
import { isRegistrationIdentifier } from '#domain/lti/registration';
import type { Outbound } from '#ports/outbound';
import { showPlatformText } from '../platform-services/platform-calls.ts';
import { callPlatform, createRegistrationFailure, readPlatformAnswer } from './call-platform.ts';
import { createPlatformAuthorization } from './platform-configuration.ts';

const TOOL = 'https://purl.imsglobal.org/spec/lti-tool-configuration';
const MAX_BYTES = 262_144;
/** Platforms fetch our keys and icon meanwhile. */
const TIMEOUT_MS = 15_000;

const identifier = z
  .union([z.string(), z.number()])
  .transform(String)
  .refine(isRegistrationIdentifier, 'must have 1 to 255 printable characters');
const deployment = identifier.nullish();

const schema = z
  .object({
    client_id: identifier,
    deployment_id: deployment,
    [TOOL]: z.object({ deployment_id: deployment }).optional(),
  })
  .transform((sent) => ({
    clientId: sent.client_id,
    /** Null where the tool is yet to be installed somewhere. */
    deploymentId: sent[TOOL]?.deployment_id ?? sent.deployment_id ?? null,
  }));

/** How the platform knows us now. */
export type RegisteredTool = z.infer<typeof schema>;

/** Register the tool at the platform. Errors: REGISTRATION_FAILED. */
export async function registerTool(
  outbound: Outbound,
  { url, token }: { readonly url: string; readonly token: string | null },
  tool: unknown,
): Promise<RegisteredTool> {
  const { host } = new URL(url);
  const answer = await callPlatform(outbound, url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...createPlatformAuthorization(token),
    },
    body: JSON.stringify(tool),
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
  const { status, text } = answer;
  // The specification says 201, and Moodle answers with 200.
  if (status !== 200 && status !== 201)
    throw createRegistrationFailure('refused', { host, status, detail: showPlatformText(text) });
  return readPlatformAnswer(answer, schema, { reason: 'answer', host });
}
