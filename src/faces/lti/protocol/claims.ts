import { z } from 'zod';
import { AppError } from '#errors';

/** Variables that the platform did not fill in arrive as they are: `$Context.id.history`. */
const UNFILLED = /^\$[A-Za-z][\w.]*$/;

const MAX_ENTRIES = 100;

const MAX_KEY = 200;

/** A course that was copied many times has a long history. */
const MAX_VALUE = 8_000;

const MAX_ADDRESS = 4_000;

/** Text that identifies something: it is taken as it is, or not at all. */
const createIdentifierClaim = (max: number) => z.string().min(1).max(max);

/** Text for people, cut where it is too long, without characters that turn around or hide what
 *  stands beside it. */
const createLineClaim = (max: number) =>
  z.string().transform((text) => cut(text.replace(/[\p{C}\s]+/gu, ' ').trim(), max));

/** Null where there is no usable text. */
const createOptionalLineClaim = (max: number) => orNull(createLineClaim(max));

const createParagraphClaim = (max: number) =>
  orNull(z.string().transform((text) => cut(text.replace(/[^\P{C}\n\t]+/gu, '').trim(), max)));

const webAddress = z.string().max(MAX_ADDRESS).refine(isWebAddress, 'must be an address of the web');

const optionalAddress = webAddress.nullish().catch(null);

/** A list of texts; other values are left out. */
const createListClaim = (max: number) =>
  z
    .array(z.unknown())
    .catch([])
    .transform(
      (values) => values.filter((value) => typeof value === 'string' && value.length <= max) as string[],
    );

/** Some platforms write it as text. Null where they do not say. */
const flag = z
  .union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])
  .nullish()
  .catch(null);

function orNull(text: z.ZodType<string>) {
  return text
    .nullish()
    .catch(null)
    .transform((value) => (value === undefined || value === '' ? null : value));
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Cuts a text, but never in the middle of a character. */
function cut(text: string, max: number): string {
  return text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');
}

/** Custom parameters that have a value, which may be empty: a variable can be so, too. */
function readCustomClaimValues(claim: unknown): Readonly<Record<string, string>> {
  if (typeof claim !== 'object' || claim === null || Array.isArray(claim)) return {};
  const entries = Object.entries(claim)
    .slice(0, MAX_ENTRIES)
    .map(([key, value]): [string, string] => [key, typeof value === 'number' ? String(value) : value])
    .filter(([key, value]) => key.length <= MAX_KEY && isFilled(value));
  return Object.fromEntries(entries);
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_VALUE && !UNFILLED.test(value.trim());
}

/** The claims of a launch (LTI 1.3 §5.3, Deep Linking 2.0 §4.4, AGS 2.0 §3.1, NRPS 2.0 §2.2, PNS
 *  1.0). What a launch cannot do without is checked. Anything else that is unusable is left out, as
 *  platforms send much that does not matter here.
 *  https://www.imsglobal.org/spec/lti/v1p3/#required-message-claims */

const LTI = 'https://purl.imsglobal.org/spec/lti/claim';
export const claimNames = {
  version: `${LTI}/version`,
  messageType: `${LTI}/message_type`,
  deploymentId: `${LTI}/deployment_id`,
  targetLinkUri: `${LTI}/target_link_uri`,
  roles: `${LTI}/roles`,
  context: `${LTI}/context`,
  custom: `${LTI}/custom`,
  presentation: `${LTI}/launch_presentation`,
  resourceLink: `${LTI}/resource_link`,
  platform: `${LTI}/tool_platform`,
  deepLinking: 'https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings',
  grading: 'https://purl.imsglobal.org/spec/lti-ags/claim/endpoint',
  memberships: 'https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice',
  notices: `${LTI}/platformnotificationservice`,
} as const;

const everyLaunch = {
  sub: createIdentifierClaim(255),
  name: createOptionalLineClaim(200),
  given_name: createOptionalLineClaim(200),
  family_name: createOptionalLineClaim(200),
  email: createOptionalLineClaim(320),
  locale: createOptionalLineClaim(35),
  [claimNames.deploymentId]: createIdentifierClaim(255),
  [claimNames.roles]: z.array(createLineClaim(500)).max(200),
  [claimNames.context]: z
    .object({
      id: createIdentifierClaim(500),
      label: createOptionalLineClaim(200),
      title: createOptionalLineClaim(500),
    })
    .nullish()
    .catch(null),
  [claimNames.custom]: z.unknown().optional().transform(readCustomClaimValues),
  [claimNames.presentation]: z
    .object({
      locale: createOptionalLineClaim(35),
      document_target: createOptionalLineClaim(50),
      return_url: optionalAddress,
    })
    .nullish()
    .catch(null),
  [claimNames.platform]: z
    .object({ product_family_code: createOptionalLineClaim(100) })
    .nullish()
    .catch(null),
  [claimNames.grading]: z
    .object({ scope: createListClaim(500), lineitem: optionalAddress, lineitems: optionalAddress })
    .nullish()
    .catch(null),
  [claimNames.notices]: z
    .object({ platform_notification_service_url: webAddress, notice_types_supported: createListClaim(100) })
    .nullish()
    .catch(null),
  [claimNames.memberships]: z.object({ context_memberships_url: webAddress }).nullish().catch(null),
};

const resourceLinkClaims = z.object({
  ...everyLaunch,
  [claimNames.messageType]: z.literal('LtiResourceLinkRequest'),
  [claimNames.targetLinkUri]: z.string(),
  [claimNames.resourceLink]: z.object({
    id: createIdentifierClaim(500),
    title: createOptionalLineClaim(500),
    description: createParagraphClaim(5_000),
  }),
});

const deepLinkingClaims = z.object({
  ...everyLaunch,
  [claimNames.messageType]: z.literal('LtiDeepLinkingRequest'),
  // Not every platform sends it with this message.
  [claimNames.targetLinkUri]: z.string().optional(),
  [claimNames.deepLinking]: z.object({
    deep_link_return_url: webAddress,
    accept_types: z.array(createLineClaim(100)).min(1).max(50),
    accept_presentation_document_targets: createListClaim(50),
    accept_multiple: flag,
    accept_lineitem: flag,
    auto_create: flag,
    title: createOptionalLineClaim(500),
    text: createParagraphClaim(5_000),
    data: z.string().nullish().catch(null),
  }),
});

const launchClaims = z.discriminatedUnion(claimNames.messageType, [resourceLinkClaims, deepLinkingClaims]);
export type LaunchClaims = z.output<typeof launchClaims>;

const messageTypes: readonly unknown[] = ['LtiResourceLinkRequest', 'LtiDeepLinkingRequest'];

/** Errors: LTI_VERSION_WRONG, LTI_MESSAGE_UNKNOWN, LTI_USER_MISSING; LTI_CLAIMS_INVALID with the
 *  claims in `problems`; LTI_RETURN_REFUSED. */
export function readClaims(claims: Readonly<Record<string, unknown>>): LaunchClaims {
  if (claims[claimNames.version] !== '1.3.0')
    throw new AppError('LTI_VERSION_WRONG', 'The platform speaks another version of LTI than 1.3.0.');
  if (!messageTypes.includes(claims[claimNames.messageType]))
    throw new AppError(
      'LTI_MESSAGE_UNKNOWN',
      'The platform asks for something that this tool does not do: neither choosing content nor opening it.',
    );
  if (claims.sub === undefined || claims.sub === '')
    throw new AppError('LTI_USER_MISSING', 'The platform does not say who opens this, not even by a number.');
  const { data, error } = launchClaims.safeParse(claims);
  if (error === undefined) return withSafeReturn(data);
  throw new AppError('LTI_CLAIMS_INVALID', 'The launch lacks something that every launch has.', {
    problems: error.issues
      .slice(0, 20)
      .map(({ path, message }) => ({ path: path.join(' '), problem: message })),
  });
}

/** A browser sends what was chosen to the return address. User info makes it look like the address
 *  of another site, and control characters are left out when it is read, so that it is another one
 *  than it looks. Errors: LTI_RETURN_REFUSED. */
function withSafeReturn(claims: LaunchClaims): LaunchClaims {
  const address =
    claimNames.deepLinking in claims ? claims[claimNames.deepLinking].deep_link_return_url : null;
  if (address === null) return claims;
  const { username, password } = new URL(address);
  if (!/\p{Control}/u.test(address) && username === '' && password === '') return claims;
  throw new AppError(
    'LTI_RETURN_REFUSED',
    'The address for what is chosen has a user name, a password or control characters. Correct it on the platform.',
  );
}
