import { findProductOfIssuer, type LtiProduct } from '#domain/lti/registration';
import type { PlatformSigns, ProductTraits } from './product.ts';

const everything = { lineItem: true, available: true, submission: true, window: true };

/** A platform that keeps to the specifications, with the limits that all platforms we know can
 *  take. Not all make line items of items. */
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
  lastStep: null,
  scoreExtras: {},
  registration: {
    placements: { deepLinking: ['ContentArea', 'RichTextEditor'], resourceLink: [] },
    forgetsUsage: false,
    toolExtras: {},
    messageExtras: {},
  },
};

/** It silently loses items with more than 100 points or long titles where several are chosen at
 *  once. Seen in 4.5: its theme whitens the icons of activities with `brightness(0) invert(1)`. */
const moodle: ProductTraits = {
  ...generic,
  product: 'moodle',
  name: 'Moodle',
  families: ['moodle'],
  honours: { ...everything, available: false, submission: false },
  resizeSubject: null,
  namesWords: 'moodle',
  // Non-editing teachers launch as instructors, and are learners among the members.
  showsEditorsInMembers: true,
  tintsIcons: true,
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
  // Schools have names of their own below this domain; a domain of their own comes with the return
  // address of the launch.
  framedBy: ['https://*.instructure.com'],
  honours: { ...everything, window: false },
  namesWords: 'canvas',
  // A score would count as another submission of the learner.
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
      // What was chosen is launched without one; the ones that exist put a tool into a course's
      // menu.
      resourceLink: null,
    },
    forgetsUsage: false,
    toolExtras: {
      [`${CANVAS}/privacy_level`]: 'name_only',
      [`${CANVAS}/tool_id`]: 'skilldock',
      [`${CANVAS}/vendor`]: 'Skilldock',
    },
    messageExtras: {
      [`${CANVAS}/launch_width`]: 900,
      [`${CANVAS}/launch_height`]: 700,
    },
  },
};

/** All institutions have one issuer and one client id; the deployment says which one it is. */
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

/** Whether roles of the institution are meant as those of the course, where a launch names none of
 *  these. So does Open edX, which is known by the address of its keys. */
export const meansCourseByInstitution = ({ jwksUri }: { readonly jwksUri: string }): boolean =>
  new URL(jwksUri).pathname.startsWith('/api/lti_consumer/');

/** The product of a platform, by its issuer or by what it says of itself; `generic` for one that we
 *  do not know.
 *
 *  @example
 *  recogniseProduct({ issuer: 'https://learn.school.example', family: 'desire2learn' }).product
 *  // 'brightspace' */
export function recogniseProduct({ issuer, family }: PlatformSigns): ProductTraits {
  const ofIssuer = findProductOfIssuer(issuer);
  if (ofIssuer !== null) return products[ofIssuer];
  const written = family?.toLowerCase() ?? '';
  const isOfFamily = ({ families }: ProductTraits) => families.some((code) => written.startsWith(code));
  return Object.values(products).find(isOfFamily) ?? generic;
}
