import { z } from 'zod';
import { AppError } from '#errors';

/** Matches a variable that the platform did not replace: `$Context.id.history`. */
const VARIABLE = /^\$[A-Za-z][\w.]*$/;
const MAX_CUSTOM_PARAMETERS = 100;
const MAX_CUSTOM_NAME = 200;
/** Large, as the history of a course that was copied many times is long. */
const MAX_CUSTOM_VALUE = 8_000;
const MAX_ADDRESS = 4_000;
const MAX_PROBLEMS = 20;

/** Reads an identifier, which is refused, not cut, if it is too long. */
const identifierClaim = (maxLength: number) => z.string().min(1).max(maxLength);

/** Reads a line for people, without characters that hide or reverse text, cut at its limit. */
const lineClaim = (maxLength: number) =>
  z.string().transform((text) => cutClaimText(text.replace(/[\p{C}\s]+/gu, ' ').trim(), maxLength));

const optionalLineClaim = (maxLength: number) => claimOrNull(lineClaim(maxLength));

const paragraphClaim = (maxLength: number) =>
  claimOrNull(z.string().transform((text) => cutClaimText(text.replace(/[^\P{C}\n\t]+/gu, '').trim(), maxLength)));

const isWebAddress = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
const webAddress = z.string().max(MAX_ADDRESS).refine(isWebAddress, 'must be an address of the web');
const optionalAddress = webAddress.nullish().catch(null);

/** Makes a list of a single text, as some platforms send a list of one. */
const toClaimList = (value: unknown): unknown => (typeof value === 'string' ? [value] : value);

const listClaim = (maxLength: number) =>
  z
    .preprocess(toClaimList, z.array(z.unknown()))
    .catch([])
    .transform((values) =>
      values.filter((value): value is string => typeof value === 'string' && value.length <= maxLength),
    );

/** Reads a boolean, also as `'true'` or `'false'`, which some platforms send; else null. */
const flag = z
  .union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])
  .nullish()
  .catch(null);

const optionalClaim = <S extends z.ZodRawShape>(shape: S) => z.object(shape).nullish().catch(null);

function claimOrNull(text: z.ZodType<string>) {
  return text
    .nullish()
    .catch(null)
    .transform((value) => (value === undefined || value === '' ? null : value));
}

/** Cuts a text, but never in the middle of a character. */
const cutClaimText = (text: string, max: number): string => text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');

function readCustomClaims(claim: unknown): Readonly<Record<string, string>> {
  if (typeof claim !== 'object' || claim === null || Array.isArray(claim)) return {};
  const entries = Object.entries(claim)
    .slice(0, MAX_CUSTOM_PARAMETERS)
    .map(([key, value]): [string, string] => [key, typeof value === 'number' ? String(value) : value])
    .filter(([key, value]) => key.length <= MAX_CUSTOM_NAME && isCustomClaimValue(value));
  return Object.fromEntries(entries);
}

const isCustomClaimValue = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= MAX_CUSTOM_VALUE && !VARIABLE.test(value.trim());

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
  groups: 'https://purl.imsglobal.org/spec/lti-gs/claim/groupsservice',
  notices: `${LTI}/platformnotificationservice`,
} as const;

/** Claims of LTI 1.3 §5.3, AGS 2.0 §3.1, NRPS 2.0 §2.2, PNS 1.0. Unusable claims are an error only
 *  if they are required. https://www.imsglobal.org/spec/lti/v1p3/#required-message-claims */
const commonClaims = {
  sub: identifierClaim(255),
  name: optionalLineClaim(200),
  given_name: optionalLineClaim(200),
  family_name: optionalLineClaim(200),
  email: optionalLineClaim(320),
  locale: optionalLineClaim(35),
  [claimNames.deploymentId]: identifierClaim(255),
  [claimNames.roles]: z.preprocess(toClaimList, z.array(lineClaim(500)).max(200)),
  [claimNames.context]: optionalClaim({
    id: identifierClaim(500),
    label: optionalLineClaim(200),
    title: optionalLineClaim(500),
  }),
  [claimNames.custom]: z.unknown().optional().transform(readCustomClaims),
  [claimNames.presentation]: optionalClaim({
    locale: optionalLineClaim(35),
    document_target: optionalLineClaim(50),
    return_url: optionalAddress,
  }),
  [claimNames.platform]: optionalClaim({ product_family_code: optionalLineClaim(100) }),
  [claimNames.grading]: optionalClaim({ scope: listClaim(500), lineitem: optionalAddress, lineitems: optionalAddress }),
  [claimNames.notices]: optionalClaim({
    platform_notification_service_url: webAddress,
    notice_types_supported: listClaim(100),
  }),
  [claimNames.memberships]: optionalClaim({ context_memberships_url: webAddress }),
  [claimNames.groups]: optionalClaim({ context_groups_url: webAddress }),
};

const resourceLinkClaims = z.object({
  ...commonClaims,
  [claimNames.messageType]: z.literal('LtiResourceLinkRequest'),
  [claimNames.targetLinkUri]: z.string(),
  [claimNames.resourceLink]: z.object({
    id: identifierClaim(500),
    title: optionalLineClaim(500),
    description: paragraphClaim(5_000),
  }),
});

const deepLinkingClaims = z.object({
  ...commonClaims,
  [claimNames.messageType]: z.literal('LtiDeepLinkingRequest'),
  // This message need not have a target.
  [claimNames.targetLinkUri]: z.string().nullish().catch(null),
  [claimNames.deepLinking]: z.object({
    deep_link_return_url: webAddress,
    accept_types: z.preprocess(toClaimList, z.array(lineClaim(100)).min(1).max(50)),
    accept_presentation_document_targets: listClaim(50),
    accept_multiple: flag,
    accept_lineitem: flag,
    auto_create: flag,
    title: optionalLineClaim(500),
    text: paragraphClaim(5_000),
    // The response returns the value unchanged.
    data: z.unknown().optional(),
  }),
});

const launchClaims = z.discriminatedUnion(claimNames.messageType, [resourceLinkClaims, deepLinkingClaims]);
export type LaunchClaims = z.output<typeof launchClaims>;
const messageTypes: readonly unknown[] = ['LtiResourceLinkRequest', 'LtiDeepLinkingRequest'];

/** Reads the claims of a launch. Errors: LTI_VERSION_WRONG, LTI_MESSAGE_UNKNOWN, LTI_USER_MISSING,
 *  LTI_CLAIMS_INVALID (`problems`), LTI_RETURN_REFUSED. */
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
  if (error !== undefined)
    throw new AppError('LTI_CLAIMS_INVALID', 'The launch lacks something that every launch has.', {
      problems: error.issues
        .slice(0, MAX_PROBLEMS)
        .map(({ path, message }) => ({ path: path.join(' '), problem: message })),
    });
  requireSafeReturn(data);
  return data;
}

/** Refuses a return address, to which the browser sends the chosen items, if user info or control
 *  characters could disguise another site. Errors: LTI_RETURN_REFUSED. */
function requireSafeReturn(claims: LaunchClaims): void {
  if (!(claimNames.deepLinking in claims)) return;
  const address = claims[claimNames.deepLinking].deep_link_return_url;
  const { username, password } = new URL(address);
  if (!/\p{Control}/u.test(address) && username === '' && password === '') return;
  throw new AppError(
    'LTI_RETURN_REFUSED',
    'The address for what is chosen has a user name, a password or control characters. Correct it on the platform.',
  );
}
