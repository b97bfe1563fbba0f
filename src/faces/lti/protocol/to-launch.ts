import { randomUUID } from 'node:crypto';
import {
  canMakeLineItem,
  type DeepLinkingSettings,
  type Launch,
  type LaunchedLink,
  type LaunchGrading,
} from '#domain/lti/launch';
import { getProductTraits, meansCourseByInstitution, recogniseProduct } from '#domain/lti/products';
import type { LtiProduct } from '#domain/lti/registration';
import { readRoles } from '#domain/lti/roles';
import type { LtiRegistrationRecord } from '#ports/store/store';
import { launchLifetimeMs } from '#services/courses/launches/launches';
import { claimNames, type LaunchClaims } from './claims.ts';

export function toLaunch(claims: LaunchClaims, registration: LtiRegistrationRecord, now: Date): Launch {
  const { id: registrationId, tenantId, issuer, clientId } = registration;
  const family = claims[claimNames.platform]?.product_family_code ?? null;
  // The platform knows its product better than its issuer shows, but an administrator decides.
  const product =
    registration.product === 'generic' ? recogniseProduct({ issuer, family }).product : registration.product;
  const context = claims[claimNames.context];
  const presentation = claims[claimNames.presentation];
  const deepLinking = toDeepLinking(claims, product);
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
    user: toUser(claims),
    ...readRoles(claims[claimNames.roles], {
      isInCourse: Boolean(context),
      // The platform decides who may choose content for a course.
      institutionRolesCount: deepLinking !== null || meansCourseByInstitution(registration),
    }),
    locale: presentation?.locale ?? claims.locale,
    context: context ? { id: context.id, label: context.label, title: context.title } : null,
    custom: claims[claimNames.custom],
    presentation: { target: presentation?.document_target ?? null, returnUrl: presentation?.return_url ?? null },
    resourceLink: toResourceLink(claims),
    deepLinking,
    grading: toGrading(claims),
    membershipsUrl: claims[claimNames.memberships]?.context_memberships_url ?? null,
    groupsUrl: claims[claimNames.groups]?.context_groups_url ?? null,
    launchedAt: now,
    expiresAt: new Date(now.getTime() + lifetimeMs),
  };
}

function toUser({ sub, name, given_name, family_name, email }: LaunchClaims): Launch['user'] {
  const parts = [given_name, family_name].filter((part) => part !== null);
  return { id: sub, name: name ?? (parts.length > 0 ? parts.join(' ') : null), email };
}

function toResourceLink(claims: LaunchClaims): LaunchedLink | null {
  if (!(claimNames.resourceLink in claims)) return null;
  const { id, title, description } = claims[claimNames.resourceLink];
  return { id, title, description };
}

function toDeepLinking(claims: LaunchClaims, product: LtiProduct): DeepLinkingSettings | null {
  if (!(claimNames.deepLinking in claims)) return null;
  const settings = claims[claimNames.deepLinking];
  const grading = toGrading(claims);
  // Open edX names its services in resource link launches only.
  const mayMakeLineItem = grading === null || canMakeLineItem(grading);
  return {
    returnUrl: settings.deep_link_return_url,
    acceptTypes: settings.accept_types,
    acceptMultiple: settings.accept_multiple ?? false,
    targets: settings.accept_presentation_document_targets,
    // The default of the product where the platform does not say.
    acceptLineItem: settings.accept_lineitem ?? (getProductTraits(product).honours.lineItem || mayMakeLineItem),
    autoCreate: settings.auto_create ?? false,
    title: settings.title,
    text: settings.text,
    data: settings.data ?? null,
  };
}

function toGrading(claims: LaunchClaims): LaunchGrading | null {
  const endpoint = claims[claimNames.grading];
  if (!endpoint) return null;
  const { scope, lineitem, lineitems } = endpoint;
  return { scopes: scope, lineItem: lineitem ?? null, lineItems: lineitems ?? null };
}
