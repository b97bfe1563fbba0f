import { randomUUID } from 'node:crypto';
import type { DeepLinkingSettings, Launch, LaunchedLink, LaunchGrading } from '#domain/lti/launch';
import { canMakeLineItem, takesScores } from '#domain/lti/launch';
import { getProductTraits, meansCourseByInstitution, recogniseProduct } from '#domain/lti/products';
import type { LtiProduct } from '#domain/lti/registration';
import { readLtiRoles } from '#domain/lti/roles';
import { AppError } from '#errors';
import { createCookies } from '#faces/cookies';
import type { LtiRegistrationRecord } from '#ports/store/store';
import { launchLifetimeMs, type PendingLogin } from '#services/courses/launches/launches';
import type { LtiFaceDeps } from '../deps.ts';
import { type LtiContext, type LtiReply, makeLtiPage, toShelfOwner } from '../route.ts';
import { getToolAddresses, requireToolAddress } from '../tool-addresses.ts';
import { createBindingCookies, isBinding } from './binding.ts';
import { claimNames, type LaunchClaims, readClaims } from './claims.ts';
import { createDeploymentUnknownError, getRegistration, getRegistrationForLaunch } from './launching-registration.ts';
import { noticeTypes } from './notices.ts';

/** The launch (authentication response).
 *  1. The platform has the browser post an id_token here, with the state of the login.
 *  2. Without the binding in a cookie or the form, a page looks for it in the browser and posts
 *     again; if it finds none, the state stays valid for a launch that has the binding.
 *  3. The state must exist and belong to this browser. It is used up, whatever happens next.
 *  4. The id_token is verified: form and signature, parties and times, nonce, claims.
 *  5. Its deployment must be registered, or the registration must accept new ones.
 *  6. The launch is stored, and the browser goes on with a token for it.
 *     https://www.imsglobal.org/spec/security/v1p0/#step-3-authentication-response */

export async function handleLaunch(deps: LtiFaceDeps, context: LtiContext): Promise<LtiReply> {
  try {
    return await takeLaunch(deps, context);
  } catch (error) {
    await deps.launches.countAttempt(context.request.ip ?? 'unknown');
    throw error;
  }
}

async function takeLaunch(deps: LtiFaceDeps, context: LtiContext): Promise<LtiReply> {
  const { launches, personSessions, publicUrl } = deps;
  const { form, request } = context;
  refusePlatformError(form);
  const state = form.get('state') ?? '';
  const idToken = form.get('id_token') ?? '';
  const cookies = createBindingCookies(publicUrl);
  const binding = cookies.read(request, state) ?? readPostedBinding(context, publicUrl);
  if (binding === undefined) return showLaunchBindingPage(deps, state, idToken);
  if (binding === '') throw createUnboundLaunchError();
  const login = (await launches.consumeLogin(state)) ?? refuseLaunchState();
  if (!isBinding(binding, login.bindingHash))
    throw new AppError(
      'LTI_BINDING_WRONG',
      'The launch belongs to a login of another browser. Open the activity again from the course.',
    );
  const launch = await verifyLaunch(deps, idToken, login);
  const to = launch.deepLinking === null ? '/lti/object' : '/lti/picker';
  const token = await launches.keepLaunch(launch);
  resendScoreAtLaunch(deps, launch).catch(deps.onProblem);
  // Browsers refuse this cookie in a frame of another site, so plans then need a ticket.
  const value = await personSessions.begin(toShelfOwner(launch));
  const person = createCookies<'person'>(publicUrl).write({ name: 'person', value });
  return {
    kind: 'redirect',
    to: `${to}?launch=${encodeURIComponent(token)}`,
    cookies: [...cookies.remove(state), person],
  };
}

/** Sends a learner's refused score again. The launch does not wait for it. */
async function resendScoreAtLaunch({ placements, completions }: LtiFaceDeps, launch: Launch): Promise<void> {
  if (launch.role !== 'learner' || !takesScores(launch)) return;
  const opened = await placements.openLink(launch);
  if (opened !== null) await completions.resendScore(launch, opened);
}

/** Returns the binding in a form; undefined if it is the platform's, empty if another site's. */
function readPostedBinding({ form, request }: LtiContext, publicUrl: string): string | undefined {
  const binding = form.get('binding');
  if (binding === null) return undefined;
  return request.get('origin') === new URL(publicUrl).origin ? binding : '';
}

async function showLaunchBindingPage(deps: LtiFaceDeps, state: string, idToken: string): Promise<LtiReply> {
  const { registrationId, storageTarget } = (await deps.launches.findLogin(state)) ?? refuseLaunchState();
  const { authorizationEndpoint } = await getRegistration(deps.registrations, registrationId);
  return makeLtiPage('binding', {
    state,
    idToken,
    storageTarget: storageTarget ?? '',
    platformOrigin: new URL(authorizationEndpoint).origin,
    script: 'lti/binding',
  });
}

/** Errors: LTI_PLATFORM_ERROR if the form is a refusal (OpenID Connect Core §3.1.2.6). */
function refusePlatformError(form: URLSearchParams): void {
  const error = form.get('error');
  if (error === null) return;
  const description = [error, form.get('error_description')].filter((part) => part !== null).join(': ');
  throw new AppError('LTI_PLATFORM_ERROR', 'The platform has broken the launch off.', {
    data: { facts: { said: description.slice(0, 500) } },
  });
}

async function verifyLaunch(deps: LtiFaceDeps, idToken: string, { registrationId, nonce }: PendingLogin) {
  const { registrations, completions, clock, publicUrl, onProblem } = deps;
  const registration = await getRegistrationForLaunch(deps, registrationId);
  const claims = await readLaunchIdToken(deps, idToken, { registration, nonce });
  const target = claims[claimNames.targetLinkUri];
  if (target) requireToolAddress(target, publicUrl);
  const launch = toLaunch(claims, registration, clock.now());
  if (launch.deepLinking !== null && launch.role !== 'instructor')
    throw new AppError('LTI_ROLE_WRONG', 'Only people who teach in a course may add content to it.', {
      data: { role: launch.role },
    });
  if (!(await registrations.admitDeployment(registration, launch.deploymentId)))
    throw createDeploymentUnknownError(launch, await registrations.areDeploymentsFull(registration));
  if (launch.product !== registration.product) await registrations.noteProduct(registration, launch.product);
  if (launch.role === 'instructor') completions.noteTeacher(launch).catch(onProblem);
  subscribeLaunchToNotices(deps, { claims, registration });
  return launch;
}

async function readLaunchIdToken(
  { platforms }: LtiFaceDeps,
  idToken: string,
  { registration, nonce }: { readonly registration: LtiRegistrationRecord; readonly nonce: string },
): Promise<LaunchClaims> {
  const payload = await platforms.verifyToken(registration, idToken);
  if (payload.nonce !== nonce)
    throw new AppError(
      'LTI_NONCE_WRONG',
      'The launch does not belong to the login it came with (nonce). Open the activity again.',
    );
  const claims = readClaims(payload);
  await platforms.checkLaunchClaims(payload);
  return claims;
}

/** Subscribes to the notices that the platform offers. The launch does not wait for it. */
function subscribeLaunchToNotices(
  { platforms, publicUrl, onProblem }: LtiFaceDeps,
  { claims, registration }: { readonly claims: LaunchClaims; readonly registration: LtiRegistrationRecord },
): void {
  const service = claims[claimNames.notices];
  if (!service) return;
  const types = noticeTypes.filter((type) => service.notice_types_supported.includes(type));
  const handler = getToolAddresses(publicUrl).notices;
  platforms
    .subscribeToNotices(registration, { url: service.platform_notification_service_url, handler, types })
    .catch(onProblem);
}

/** The page of this error has no button to begin again, as the hints of the login are used up. */
function createUnboundLaunchError(): AppError {
  return new AppError(
    'LTI_BINDING_MISSING',
    'The browser kept nothing of the login: it blocks cookies and storage of frames. Open the activity in a new window, or allow cookies.',
  );
}

function refuseLaunchState(): never {
  throw new AppError(
    'LTI_STATE_UNKNOWN',
    'The launch belongs to no login that waits for one: it took more than ten minutes, or was used already. Open the activity again.',
  );
}

export function toLaunch(claims: LaunchClaims, registration: LtiRegistrationRecord, now: Date): Launch {
  const { id: registrationId, tenantId, issuer, clientId } = registration;
  const family = claims[claimNames.platform]?.product_family_code ?? null;
  // The claims name the product better than the issuer does, but an administrator's choice counts.
  const product =
    registration.product === 'generic' ? recogniseProduct({ issuer, family }).product : registration.product;
  const context = claims[claimNames.context];
  const presentation = claims[claimNames.presentation];
  const deepLinking = toLaunchDeepLinking(claims, product);
  const lifetimeMs = launchLifetimeMs[deepLinking === null ? 'resource-link' : 'deep-linking'];
  return {
    id: randomUUID(),
    tenantId,
    registrationId,
    product,
    issuer,
    clientId,
    deploymentId: claims[claimNames.deploymentId],
    platformOrigin: new URL(registration.authorizationEndpoint).origin,
    user: toLaunchUser(claims),
    ...readLtiRoles(claims[claimNames.roles], {
      isInCourse: Boolean(context),
      // In a deep-linking request, the platform has decided that the person may choose content.
      institutionRolesCount: deepLinking !== null || meansCourseByInstitution(registration),
    }),
    locale: presentation?.locale ?? claims.locale,
    context: context ? { id: context.id, label: context.label, title: context.title } : null,
    custom: claims[claimNames.custom],
    presentation: { target: presentation?.document_target ?? null, returnUrl: presentation?.return_url ?? null },
    resourceLink: toLaunchResourceLink(claims),
    deepLinking,
    grading: toLaunchGrading(claims),
    membershipsUrl: claims[claimNames.memberships]?.context_memberships_url ?? null,
    groupsUrl: claims[claimNames.groups]?.context_groups_url ?? null,
    launchedAt: now,
    expiresAt: new Date(now.getTime() + lifetimeMs),
  };
}

function toLaunchUser({ sub, name, given_name, family_name, email }: LaunchClaims): Launch['user'] {
  const parts = [given_name, family_name].filter((part) => part !== null);
  return { id: sub, name: name ?? (parts.length > 0 ? parts.join(' ') : null), email };
}

function toLaunchResourceLink(claims: LaunchClaims): LaunchedLink | null {
  if (!(claimNames.resourceLink in claims)) return null;
  const { id, title, description } = claims[claimNames.resourceLink];
  return { id, title, description };
}

function toLaunchDeepLinking(claims: LaunchClaims, product: LtiProduct): DeepLinkingSettings | null {
  if (!(claimNames.deepLinking in claims)) return null;
  const settings = claims[claimNames.deepLinking];
  const grading = toLaunchGrading(claims);
  // Open edX names its services in resource link launches only.
  const mayMakeLineItem = grading === null || canMakeLineItem(grading);
  return {
    returnUrl: settings.deep_link_return_url,
    acceptTypes: settings.accept_types,
    acceptMultiple: settings.accept_multiple ?? false,
    targets: settings.accept_presentation_document_targets,
    // Without a statement of the platform, the product decides, or whether a line item can be made.
    acceptLineItem: settings.accept_lineitem ?? (getProductTraits(product).honours.lineItem || mayMakeLineItem),
    autoCreate: settings.auto_create ?? false,
    title: settings.title,
    text: settings.text,
    data: settings.data ?? null,
  };
}

function toLaunchGrading(claims: LaunchClaims): LaunchGrading | null {
  const endpoint = claims[claimNames.grading];
  if (!endpoint) return null;
  const { scope, lineitem, lineitems } = endpoint;
  return { scopes: scope, lineItem: lineitem ?? null, lineItems: lineitems ?? null };
}
