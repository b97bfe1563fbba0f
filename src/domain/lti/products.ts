import { findProductOfIssuer, type LtiProduct } from './registration.ts';

/** Differences between products. No other file asks which product a platform is. */
export interface ProductTraits {
  readonly product: LtiProduct;
  readonly name: string;
  /** Prefixes of `product_family_code`, in lower case, as platforms may append their edition. */
  readonly families: readonly string[];
  /** Whether platforms of several institutions have the same issuer. */
  readonly sharesIssuer: boolean;
  /** Sources of `frame-ancestors` besides the origin of the authorization endpoint. */
  readonly framedBy: readonly string[];
  /** `aud` of token requests; null for the token endpoint. */
  readonly tokenAudience: string | null;
  /** Longest title of an item in characters. */
  readonly maxTitleLength: number;
  readonly maxPoints: number;
  /** The properties of an item that the platform reads. */
  readonly honours: {
    readonly lineItem: boolean;
    readonly available: boolean;
    readonly submission: boolean;
    readonly window: boolean;
  };
  /** Texts about the setting that shares names, which each product calls differently. */
  readonly namesWords: 'generic' | 'moodle' | 'canvas';
  /** Whether instructors who may not edit the course are listed as learners among its members. */
  readonly showsEditorsInMembers: boolean;
  /** Subject of the message that sets the height of the frame; null for none. */
  readonly resizeSubject: string | null;
  /** Whether icons are painted in one colour, so that a background becomes a square. */
  readonly tintsIcons: boolean;
  /** A deep-linking request may be for an existing activity, identified only by its title. An item
   *  without a line item then deletes its grades, and only the last of several items remains. */
  readonly reopensActivities: boolean;
  /** Last step in the platform after choosing, as a key of `tray.last`; null for none. */
  readonly lastStep: 'moodle' | null;
  /** Statuses that refuse a score for good. After all others, somebody may solve the problem (a
   *  permission, an address, an unpublished course), so the score is sent again. */
  readonly finalRefusals: readonly number[];
  readonly scoreExtras: Readonly<Record<string, unknown>>;
  readonly registration: RegistrationTraits;
}

interface RegistrationTraits {
  /** `placements` of the messages in the tool configuration; null for an unregistered message. */
  readonly placements: { readonly deepLinking: readonly string[]; readonly resourceLink: readonly string[] | null };
  /** Whether an update of the tool resets where teachers find it. */
  readonly forgetsUsage: boolean;
  readonly toolExtras: Readonly<Record<string, unknown>>;
  readonly messageExtras: Readonly<Record<string, unknown>>;
}

const everything = { lineItem: true, available: true, submission: true, window: true };

/** Any platform that follows the specifications. Not every one creates a line item for an item. */
const generic: ProductTraits = {
  product: 'generic',
  name: 'LTI 1.3',
  families: [],
  sharesIssuer: false,
  tokenAudience: null,
  maxTitleLength: 255,
  maxPoints: 100,
  honours: { ...everything, lineItem: false },
  framedBy: [],
  namesWords: 'generic',
  showsEditorsInMembers: false,
  resizeSubject: 'lti.frameResize',
  tintsIcons: false,
  reopensActivities: false,
  lastStep: null,
  // The score itself is wrong, or the column is gone (AGS 2.0 §3.4.8, RFC 9110). As far as known,
  // also of Blackboard and Brightspace, whose documents name no statuses:
  // https://docs.anthology.com/docs/blackboard/lti/1.3/lti-subsystems/ags/ags-start
  // https://community.d2l.com/brightspace/kb/articles/23752-assignments-and-grades-services-extension-with-lti-1-3
  // Open EdX: 400 for a score that does not validate, in LtiAgsLineItemViewset.scores of
  // https://github.com/openedx/xblock-lti-consumer/blob/master/lti_consumer/plugin/views.py
  finalRefusals: [400, 409, 410, 412, 422],
  scoreExtras: {},
  registration: {
    placements: { deepLinking: ['ContentArea', 'RichTextEditor'], resourceLink: [] },
    forgetsUsage: false,
    toolExtras: {},
    messageExtras: {},
  },
};

/** Silently drops items with more than 100 points or long titles when several are chosen at once.
 *  Seen in 4.5: its theme whitens the icons of activities with `brightness(0) invert(1)`. */
const moodle: ProductTraits = {
  ...generic,
  product: 'moodle',
  name: 'Moodle',
  families: ['moodle'],
  honours: { ...everything, available: false, submission: false },
  resizeSubject: null,
  namesWords: 'moodle',
  // Non-editing teachers launch as instructors, but are learners among the members.
  showsEditorsInMembers: true,
  tintsIcons: true,
  reopensActivities: true,
  // 400 for who cannot be graded in the course; 404 while the column is missing, in scores.php of
  // https://github.com/moodle/moodle/tree/main/mod/lti/service/gradebookservices
  finalRefusals: generic.finalRefusals,
  lastStep: 'moodle',
  registration: { ...generic.registration, forgetsUsage: true },
};

const CANVAS = 'https://canvas.instructure.com/lti';

const canvas: ProductTraits = {
  ...generic,
  product: 'canvas',
  name: 'Canvas',
  families: ['canvas'],
  sharesIssuer: true,
  // Schools have subdomains here; the return address of a launch shows any other domain.
  framedBy: ['https://*.instructure.com'],
  honours: { ...everything, window: false },
  namesWords: 'canvas',
  // 422 while the assignment or the course is not published, and for who is not enrolled yet:
  // https://github.com/instructure/canvas-lms/blob/master/app/controllers/lti/ims/scores_controller.rb
  // https://github.com/instructure/canvas-lms/issues/1964
  finalRefusals: [400, 409, 410, 412],
  // Otherwise each score counts as another submission of the learner.
  scoreExtras: { [`${CANVAS}/submission`]: { new_submission: false } },
  registration: {
    placements: {
      deepLinking: [
        'editor_button',
        'link_selection',
        'assignment_selection',
        'course_assignments_menu',
        'module_index_menu_modal',
        'module_menu_modal',
      ],
      // Embedded items need no placement; the existing ones put a tool into the menu of a course.
      resourceLink: null,
    },
    forgetsUsage: false,
    toolExtras: {
      [`${CANVAS}/privacy_level`]: 'name_only',
      [`${CANVAS}/tool_id`]: 'skilldock',
      [`${CANVAS}/vendor`]: 'Skilldock',
    },
    messageExtras: { [`${CANVAS}/launch_width`]: 900, [`${CANVAS}/launch_height`]: 700 },
  },
};

/** All institutions share issuer and client id; only the deployment differs. */
const blackboard: ProductTraits = {
  ...generic,
  product: 'blackboard',
  name: 'Blackboard',
  honours: everything,
  families: ['blackboard'],
  sharesIssuer: true,
  framedBy: ['https:'],
};

const brightspace: ProductTraits = {
  ...generic,
  product: 'brightspace',
  name: 'Brightspace',
  honours: everything,
  families: ['desire2learn', 'brightspace', 'd2l'],
  tokenAudience: 'https://api.brightspace.com/auth/token',
};

const sakai: ProductTraits = {
  ...generic,
  product: 'sakai',
  name: 'Sakai',
  honours: everything,
  // 400 for whatever is wrong, a missing permission too, in handleLineItemScore of
  // https://github.com/sakaiproject/sakai/blob/master/lti/lti-blis/src/java/org/sakaiproject/lti13/LTI13Servlet.java
  finalRefusals: [409, 410, 412, 422],
  families: ['sakai'],
};

const products: Readonly<Record<LtiProduct, ProductTraits>> = {
  moodle,
  canvas,
  blackboard,
  brightspace,
  sakai,
  generic,
};

export const getProductTraits = (product: LtiProduct): ProductTraits => products[product];

/** Open edX, known by the address of its keys, sends roles in the institution for the course. */
export const meansCourseByInstitution = ({ jwksUri }: { readonly jwksUri: string }): boolean =>
  new URL(jwksUri).pathname.startsWith('/api/lti_consumer/');

/** Recognises the product by the issuer, else by the family; `generic` for an unknown one.
 *  @param platform.family `product_family_code`; null if the platform states none
 *  @example
 *  recogniseProduct({ issuer: 'https://learn.school.example', family: 'desire2learn' }).product
 *  // 'brightspace' */
export function recogniseProduct(platform: { readonly issuer: string; readonly family: string | null }): ProductTraits {
  const productOfIssuer = findProductOfIssuer(platform.issuer);
  if (productOfIssuer !== null) return products[productOfIssuer];
  const stated = platform.family?.toLowerCase() ?? '';
  const isOfFamily = ({ families }: ProductTraits) => families.some((code) => stated.startsWith(code));
  return Object.values(products).find(isOfFamily) ?? generic;
}
