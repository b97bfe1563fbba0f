import type { JWTPayload } from 'jose';
import type { Clock } from '#ports/clock';
import { getPresent } from '../get-present.ts';
import { fillIn } from './custom-values.ts';
import type { DeepLinkingSessions } from './deep-linking.ts';
import {
  type Course,
  type CourseLink,
  type MessageRequest,
  nameOf,
  type Person,
  type PlatformState,
  type Tool,
} from './model.ts';
import { refuse } from './request.ts';
import type { PlatformTraits } from './traits.ts';
import { claim, gradingScopes, scope } from './vocabulary.ts';

export interface MessageDeps {
  readonly issuer: string;
  /** Where browsers reach the platform. */
  readonly browserUrl: string;
  /** Where tools reach its services. */
  readonly serviceUrl: string;
  readonly traits: PlatformTraits;
  readonly state: PlatformState;
  readonly clock: Clock;
  readonly sessions: DeepLinkingSessions;
}

const ROLE = 'http://purl.imsglobal.org/vocab/lis/v2';
const launchRoles: Readonly<Record<Person['role'], readonly string[]>> = {
  instructor: [`${ROLE}/institution/person#Instructor`, `${ROLE}/membership#Instructor`],
  learner: [`${ROLE}/institution/person#Student`, `${ROLE}/membership#Learner`],
  administrator: [`${ROLE}/institution/person#Administrator`, `${ROLE}/system/person#Administrator`],
};

/** The claims of a message, as they are signed. Source: LTI 1.3 Core, §5
 *  (https://www.imsglobal.org/spec/lti/v1p3/). */
export function createMessages(deps: MessageDeps) {
  const { issuer, traits, state, clock } = deps;
  return (wanted: MessageRequest, nonce: string): JWTPayload => {
    const tool = state.tools.get(wanted.clientId) ?? refuse('the tool is not registered any more');
    const person = state.people.get(wanted.personId) ?? refuse('the person is not there any more');
    const course = state.courses.get(wanted.courseId) ?? refuse('the course is not there any more');
    const link = wanted.linkId === null ? null : (state.links.get(wanted.linkId) ?? refuse('the link was removed'));
    const now = Math.floor(clock.now().getTime() / 1000);
    return {
      iss: issuer,
      aud: tool.clientId,
      sub: person.id,
      nonce,
      iat: now,
      exp: now + traits.idTokenTtlSeconds,
      name: nameOf(person),
      given_name: person.givenName,
      family_name: person.familyName,
      email: person.email,
      locale: wanted.locale,
      [claim.version]: '1.3.0',
      [claim.deploymentId]: tool.deploymentId,
      [claim.targetLinkUri]: wanted.targetLinkUri,
      [claim.roles]: launchRoles[person.role].filter((role) => traits.hasCourseRoles || !role.includes('/membership')),
      [claim.context]: contextClaim(course, wanted.locale, traits),
      [claim.toolPlatform]: {
        guid: issuer,
        name: course.label,
        product_family_code: traits.family,
        version: '1',
      },
      [claim.custom]:
        link === null
          ? {}
          : fillIn(link.custom, {
              course,
              link,
              historyVariables: traits.historyVariables,
              isLaunch: wanted.kind === 'resource-link',
            }),
      ...((wanted.kind === 'resource-link' || traits.hasServicesInDeepLinking) &&
        servicesClaims(deps, { tool, course, link })),
      ...(wanted.kind === 'resource-link'
        ? launchClaims(deps, wanted, getPresent(link, 'the link of a launch'))
        : deepLinkingClaims(deps, wanted)),
    };
  };
}

function contextClaim(
  { id, label, title, titles = {} }: Course,
  locale: string,
  { hasShortContextType }: PlatformTraits,
) {
  const type = hasShortContextType ? 'CourseSection' : 'http://purl.imsglobal.org/vocab/lis/v2/course#CourseOffering';
  return { id, label, title: titles[locale.slice(0, 2)] ?? title, type: [type] };
}

interface Subject {
  readonly tool: Tool;
  readonly course: Course;
  readonly link: CourseLink | null;
}

/** Where the tool finds the services that it may use. */
function servicesClaims({ serviceUrl, traits }: MessageDeps, { tool, course, link }: Subject) {
  const scopes = gradingScopes.filter((name) => tool.scopes.includes(name));
  const lineItems = `${serviceUrl}/line-items/${course.id}`;
  return {
    ...(scopes.length > 0 && {
      [claim.grading]: {
        scope: scopes,
        lineitems: lineItems + traits.lineItemQuery,
        ...(link !== null &&
          link.lineItemId !== null && { lineitem: `${lineItems}/${link.lineItemId}${traits.lineItemQuery}` }),
      },
    }),
    ...(tool.scopes.includes(scope.noticeHandlers) &&
      traits.noticeTypes.length > 0 && {
        [claim.notices]: {
          service_versions: ['1.0'],
          platform_notification_service_url: `${serviceUrl}/notice-handlers/${tool.deploymentId}`,
          scope: [scope.noticeHandlers],
          notice_types_supported: traits.noticeTypes,
        },
      }),
    ...(tool.scopes.includes(scope.memberships) &&
      (link !== null || traits.hasMembershipsInDeepLinking) && {
        [claim.memberships]: {
          context_memberships_url: `${serviceUrl}/memberships/${course.id}`,
          service_versions: ['2.0'],
        },
      }),
  };
}

/** Query of a page that somebody comes back to: who they are, and what they read. */
const back = ({ personId, locale }: MessageRequest) => new URLSearchParams({ as: personId, lang: locale });

function launchClaims({ browserUrl, traits }: MessageDeps, wanted: MessageRequest, link: CourseLink) {
  const returnUrl = `${browserUrl}/return?${back(wanted)}`;
  return {
    [claim.messageType]: 'LtiResourceLinkRequest',
    [claim.resourceLink]: { id: traits.resourceLinkIdOf(link), title: link.title, description: link.text },
    [claim.presentation]: { locale: wanted.locale, document_target: link.target, return_url: returnUrl },
  };
}

function deepLinkingClaims(
  { browserUrl, traits, sessions }: MessageDeps,
  wanted: MessageRequest & { readonly kind: 'deep-linking' },
) {
  const { acceptTypes, targets, acceptMultiple, autoCreate, acceptLineItem, acceptMediaTypes, dataOf } =
    traits.deepLinkingAt(wanted.placement);
  const session = sessions.begin(wanted, dataOf);
  return {
    [claim.messageType]: 'LtiDeepLinkingRequest',
    [claim.presentation]: { locale: wanted.locale, ...traits.deepLinkingPresentation },
    [claim.deepLinkingSettings]: {
      deep_link_return_url: `${browserUrl}/deep-linking?session=${session.id}&${back(wanted)}`,
      accept_types: acceptTypes,
      accept_presentation_document_targets: targets,
      accept_multiple: acceptMultiple,
      auto_create: autoCreate,
      ...(acceptLineItem !== null && { accept_lineitem: acceptLineItem }),
      ...(acceptMediaTypes !== null && { accept_media_types: acceptMediaTypes }),
      ...(session.data !== null && { data: session.data }),
      ...wanted.about,
    },
  };
}
