import type { CourseLink } from './model.ts';

/** How the platforms of one kind differ from those of another, as a tool sees it. */
export interface PlatformTraits {
  /** `product_family_code`. */
  readonly family: string;
  readonly loginMethod: 'GET' | 'POST';
  /** Beside the parameters of the specification. */
  readonly loginExtras: Readonly<Record<string, string>>;
  /** Name of the login parameter for the deployment. */
  readonly loginDeploymentName: 'lti_deployment_id' | 'deployment_id';
  /** `lti_storage_target`; null where there is no Platform Storage. */
  readonly storageTarget: string | null;
  readonly idTokenTtlSeconds: number;
  /** Whether a context's type is a word (`CourseSection`) instead of an address. */
  readonly hasShortContextType: boolean;
  /** The same for the roles of members; those of a launch are addresses everywhere. */
  readonly hasShortMemberRoles: boolean;
  /** Query of a line item's address, beginning with `?`; empty where there is none. It is wanted back. */
  readonly lineItemQuery: string;
  /** Where the tool does not wish otherwise. */
  readonly membersPerPage: number;
  /** Address of the members from one on, made from the one that was asked for. */
  nextMembers(asked: string, page: { readonly limit: number; readonly from: number }): string;
  readonly tokenMediaType: string;
  /** Variables of a history that it knows; others arrive as they are written. */
  readonly historyVariables: readonly string[];
  /** Id of a link as tools get it. */
  resourceLinkIdOf(link: Pick<CourseLink, 'id' | 'courseId'>): string;
  /** Whether an item that is chosen with a line item gets one. */
  readonly makesLineItems: boolean;
  /** `launch_presentation` of a deep-linking request, beside the locale. */
  readonly deepLinkingPresentation: Readonly<Record<string, string>>;
  readonly hasMembershipsInDeepLinking: boolean;
  /** Whether a deep-linking request names any services. */
  readonly hasServicesInDeepLinking: boolean;
  /** Whether a launch names roles of the course, beside those of the institution. */
  readonly hasCourseRoles: boolean;
  /** Notices that it can send; empty where there is no Platform Notification Service. */
  readonly noticeTypes: readonly string[];
  /** Settings of a deep-linking request opened at a place of the platform (`link_selection`); the first one when null. */
  deepLinkingAt(placement: string | null): DeepLinkingTraits;
  readonly content: ContentRules;
}

export interface DeepLinkingTraits {
  readonly acceptTypes: readonly string[];
  readonly targets: readonly string[];
  readonly acceptMultiple: boolean;
  readonly autoCreate: boolean;
  /** Null where the platform does not say. */
  readonly acceptLineItem: boolean | null;
  readonly acceptMediaTypes: string | null;
  /** `data` of a choice, by its id, which has to come back; null where the platform sends none. */
  readonly dataOf: ((id: string) => string) | null;
}

/** How content items that the specification allows are treated. */
export interface ContentRules {
  readonly maxTitleLength: number;
  /** Null where any number is good. */
  readonly maxWholePoints: number | null;
  /** Whether an ungraded item is lost as well when the graded one before it is. */
  readonly losesItemAfterBad: boolean;
  /** Null where every name is good. */
  readonly customName: RegExp | null;
}

/** The course site of this host: what the specifications say, without surprises. */
export const plainTraits: PlatformTraits = {
  family: 'skilldock-demo',
  loginMethod: 'GET',
  loginExtras: {},
  loginDeploymentName: 'lti_deployment_id',
  storageTarget: '_parent',
  idTokenTtlSeconds: 300,
  hasShortContextType: false,
  hasShortMemberRoles: false,
  lineItemQuery: '',
  membersPerPage: 50,
  nextMembers(asked, { limit, from }) {
    const next = new URL(asked);
    next.searchParams.set('limit', String(limit));
    next.searchParams.set('from', String(from));
    return next.href;
  },
  tokenMediaType: 'application/json',
  historyVariables: ['$Context.id.history', '$ResourceLink.id.history'],
  resourceLinkIdOf: ({ id }) => id,
  makesLineItems: true,
  deepLinkingPresentation: { document_target: 'iframe' },
  hasMembershipsInDeepLinking: true,
  hasServicesInDeepLinking: true,
  hasCourseRoles: true,
  noticeTypes: [],
  deepLinkingAt: () => ({
    acceptTypes: ['ltiResourceLink'],
    targets: ['iframe', 'window'],
    acceptMultiple: true,
    autoCreate: true,
    acceptLineItem: true,
    acceptMediaTypes: null,
    dataOf: (id) => id,
  }),
  content: { maxTitleLength: 255, maxWholePoints: null, losesItemAfterBad: false, customName: null },
};
