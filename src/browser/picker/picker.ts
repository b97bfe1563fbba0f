/** The picker: finding learning objects, looking at them, and choosing some for a course. */

import '../lti/address.ts';
import { findFrame } from '../frame-height.ts';
import { CARDS_SHOWN } from '../lti/session.ts';
import { sendInPlace } from '../object/forms-in-place.ts';
import { loadPart } from '../object/load-part.ts';
import { startPlan } from './plan.ts';
import { watchPreviews } from './preview.ts';
import { watchSearch } from './search.ts';
import { keepToSeenPart } from './seen-part.ts';
import { startShelf } from './shelf.ts';
import { watchTabsAndMenu } from './tabs.ts';
import { startTray } from './tray.ts';
import { getElement } from './words.ts';

/** In place of an object: as high as a window, whatever the object took, so that the tray is in sight. */
const FRAME_HEIGHT = 640;

findFrame()?.(FRAME_HEIGHT);
keepToSeenPart();
watchTabsAndMenu(getElement('.tabs'), getElement<HTMLSelectElement>('.tabs-menu'));
watchSearch();
watchPreviews();
// What is wrong in the course is told without being asked for.
void loadPart(getElement('#dead-links'));
startPlan(getElement('#plan'), startTray(getElement<HTMLFormElement>('#tray')));
startShelf(getElement('#shelf'));
// "Add one of yours" ends with a card.
sendInPlace(() => document.dispatchEvent(new CustomEvent(CARDS_SHOWN)));
// Behind a thumbnail that cannot be loaded there is a drawing.
document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLImageElement && target.closest('.thumb') !== null) target.remove();
  },
  { capture: true },
);
