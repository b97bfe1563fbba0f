import { type DeepLinkingTraits, type PlatformTraits, plainTraits } from '../../../demo/platform/traits.ts';

export type FakePlatformMode = 'moodle' | 'canvas' | 'edx';

/** The ways of both products, as far as a tool meets them. */
export function traitsOf(mode: FakePlatformMode, hasStorage: boolean): PlatformTraits {
  return mode === 'moodle' ? moodle(hasStorage) : mode === 'canvas' ? canvas(hasStorage) : edx;
}

/** Open edX: all items of a block have one resource link id, and line items are left to the tool;
 *  every launch of the block carries the first of them. Roles are those of the institution, and a
 *  deep-linking request names no services (releases before Verawood, programmatic grades). */
const edx: PlatformTraits = {
  ...plainTraits,
  family: 'openedx',
  storageTarget: null,
  historyVariables: [],
  resourceLinkIdOf: ({ courseId }) => `block of ${courseId}`,
  makesLineItems: false,
  hasServicesInDeepLinking: false,
  hasCourseRoles: false,
  deepLinkingAt: () => ({
    acceptTypes: ['ltiResourceLink', 'link', 'html', 'image'],
    targets: ['iframe', 'window'],
    acceptMultiple: true,
    autoCreate: true,
    acceptLineItem: null,
    acceptMediaTypes: null,
    dataOf: null,
  }),
};

function moodle(hasStorage: boolean): PlatformTraits {
  return {
    ...plainTraits,
    family: 'moodle',
    loginMethod: 'POST',
    loginDeploymentName: 'lti_deployment_id',
    storageTarget: hasStorage ? '_parent' : null,
    idTokenTtlSeconds: 60,
    hasShortContextType: true,
    hasShortMemberRoles: true,
    lineItemQuery: '?type_id=1',
    // All at once, unless the tool wants less; then it puts a second question mark where the first
    // one is.
    nextMembers: (asked, { limit, from }) => `${asked}?limit=${limit}&from=${from}`,
    tokenMediaType: 'text/html',
    historyVariables: ['$Context.id.history'],
    deepLinkingPresentation: {},
    hasMembershipsInDeepLinking: false,
    deepLinkingAt: () => ({
      acceptTypes: ['ltiResourceLink'],
      targets: ['frame', 'iframe', 'window'],
      acceptMultiple: true,
      autoCreate: false,
      acceptLineItem: null,
      acceptMediaTypes: null,
      dataOf: null,
    }),
    content: {
      maxTitleLength: 255,
      maxWholePoints: 100,
      losesItemAfterBad: true,
      customName: /^[a-z0-9_]+$/,
    },
  };
}

const linkSelection: DeepLinkingTraits = {
  acceptTypes: ['ltiResourceLink'],
  targets: ['iframe', 'window'],
  acceptMultiple: true,
  autoCreate: false,
  acceptLineItem: false,
  acceptMediaTypes: 'application/vnd.ims.lti.v1.ltilink',
  // What a platform puts there is its own affair; it comes back as it was.
  dataOf: (id) => `data of ${id}; é "<&>`,
};

const canvasPlacements: Readonly<Record<string, DeepLinkingTraits>> = {
  link_selection: linkSelection,
  editor_button: {
    ...linkSelection,
    acceptTypes: ['link', 'file', 'html', 'ltiResourceLink', 'image'],
    targets: ['embed', 'iframe', 'window'],
    acceptMediaTypes: 'image/*,text/html,application/vnd.ims.lti.v1.ltilink,*/*',
  },
  assignment_selection: { ...linkSelection, acceptMultiple: false, acceptLineItem: true },
  course_assignments_menu: { ...linkSelection, acceptLineItem: true },
  module_menu_modal: { ...linkSelection, acceptLineItem: true, autoCreate: true },
  module_index_menu_modal: { ...linkSelection, acceptLineItem: true, autoCreate: true },
};

export const canvasPlacementNames: readonly string[] = [...Object.keys(canvasPlacements), 'course_navigation'];

function canvas(hasStorage: boolean): PlatformTraits {
  return {
    ...plainTraits,
    family: 'canvas',
    loginMethod: 'POST',
    loginExtras: { canvas_region: 'us-east-1', canvas_environment: 'prod' },
    loginDeploymentName: 'deployment_id',
    storageTarget: hasStorage ? 'post_message_forwarding' : null,
    idTokenTtlSeconds: 3600,
    hasShortContextType: false,
    hasShortMemberRoles: false,
    membersPerPage: 2,
    noticeTypes: ['LtiHelloWorldNotice', 'LtiAssetProcessorSubmissionNotice', 'LtiContextCopyNotice'],
    deepLinkingAt(placement) {
      const found = canvasPlacements[placement ?? 'course_assignments_menu'];
      if (found === undefined) throw new Error(`No objects are chosen at ${placement}`);
      return found;
    },
    content: { maxTitleLength: 255, maxWholePoints: null, losesItemAfterBad: false, customName: null },
  };
}
