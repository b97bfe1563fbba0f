import type { PlatformPlugin } from './platform.ts';

/** A platform that keeps to the specifications, with the limits that all platforms we know can take. */
export const generic: PlatformPlugin = {
  product: 'generic',
  name: 'LTI 1.3',
  recognises: () => true,
  sharesIssuer: false,
  tokenAudience: null,
  maxTitleLength: 255,
  maxPoints: 100,
  honours: { lineItem: true, available: true, submission: true, window: true },
  framedBy: [],
  resizeSubject: 'lti.frameResize',
  scoreExtras: {},
  registration: {
    placements: { deepLinking: ['ContentArea', 'RichTextEditor'], resourceLink: [] },
    toolExtras: {},
    messageExtras: {},
  },
};
