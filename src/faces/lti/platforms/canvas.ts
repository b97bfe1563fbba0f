import { findProductOfIssuer } from '../../../domain/lti/registration.ts';
import { generic } from './generic.ts';
import { isOfFamily, type PlatformPlugin } from './platform.ts';

const EXTENSIONS = 'https://canvas.instructure.com/lti';

export const canvas: PlatformPlugin = {
  ...generic,
  product: 'canvas',
  name: 'Canvas',
  recognises: ({ issuer, family }) =>
    findProductOfIssuer(issuer) === 'canvas' || isOfFamily(family, 'canvas'),
  sharesIssuer: true,
  // Schools are on names of their own below this one; a vanity name comes with the return address of the launch.
  framedBy: ['https://*.instructure.com'],
  honours: { lineItem: true, available: true, submission: true, window: false },
  // A score would count as another submission of the learner.
  scoreExtras: { [`${EXTENSIONS}/submission`]: { new_submission: false } },
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
      // What was chosen is launched without one; those that there are put a tool into a course's menu.
      resourceLink: null,
    },
    toolExtras: {
      [`${EXTENSIONS}/privacy_level`]: 'name_only',
      [`${EXTENSIONS}/tool_id`]: 'skilldock',
      [`${EXTENSIONS}/vendor`]: 'Skilldock',
    },
    messageExtras: {
      [`${EXTENSIONS}/launch_width`]: 900,
      [`${EXTENSIONS}/launch_height`]: 700,
    },
  },
};
