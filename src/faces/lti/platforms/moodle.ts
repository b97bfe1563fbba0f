import { generic } from './generic.ts';
import { isOfFamily, type PlatformPlugin } from './platform.ts';

/** Choosing several at once silently loses an item with more than 100 points or a long title. */
export const moodle: PlatformPlugin = {
  ...generic,
  product: 'moodle',
  name: 'Moodle',
  recognises: ({ family }) => isOfFamily(family, 'moodle'),
  honours: { lineItem: true, available: false, submission: false, window: true },
  resizeSubject: null,
};
