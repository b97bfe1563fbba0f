import '../lti/address.ts';
import { getElement, onClick } from '../dom.ts';
import { findFrame } from '../frame-height.ts';
import { createLookDialog } from '../look-dialog.ts';
import { postSessionForm, showFragment, showProblem } from '../lti/session.ts';
import { loadPart } from '../object/load-part.ts';
import { startOwnLink } from './own-link.ts';
import { startPlan } from './plan.ts';
import { watchSearch } from './search.ts';
import { startShelf } from './shelf.ts';
import { watchTabsAndMenu } from './tabs.ts';
import { startTray } from './tray.ts';

/** The picker: finding learning objects, looking at them, and choosing some for a course. */

/** A message for every hundredth of the height that comes into sight. */
const THRESHOLDS = Array.from({ length: 101 }, (_, percent) => percent / 100);

/** In place of an object: as high as a window, whatever the object took, so that the tray is in
 *  sight. */
const FRAME_HEIGHT = 640;

findFrame()?.(FRAME_HEIGHT);
keepToSeenPart();
watchTabsAndMenu(getElement('.tabs'), getElement<HTMLSelectElement>('.tabs-menu'));
watchSearch();
watchPreviews();
// What is wrong in the course is told without being asked for.
void loadPart(getElement('#dead-links'));
const tray = startTray(getElement<HTMLFormElement>('#tray'));
startPlan(getElement('#plan'), tray);
startShelf(getElement('#shelf'));
startOwnLink(getElement('#own'), tray);
// Behind a thumbnail that cannot be loaded there is a drawing.
document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLImageElement && target.closest('.thumb') !== null) target.remove();
  },
  { capture: true },
);

/** A platform may make our frame higher than its dialog, and scroll the dialog. What sticks to the
 *  lower edge of our window is then out of sight, so it sticks to the edge of what is seen instead:
 *  `--unseen-below` tells the styles how many pixels of the window are out of sight. */
function keepToSeenPart(): void {
  if (window.parent === window) return;
  const whole = document.createElement('div');
  whole.className = 'whole-window';
  document.body.append(whole);
  const tell = (entries: readonly IntersectionObserverEntry[]) => {
    const { boundingClientRect: all, intersectionRect: seen } = entries.at(-1) as IntersectionObserverEntry;
    // Nothing of it is seen while people scroll past it.
    const below = seen.height === 0 ? 0 : Math.round(all.bottom - seen.bottom);
    document.documentElement.style.setProperty('--unseen-below', `${below}px`);
  };
  new IntersectionObserver(tell, { threshold: THRESHOLDS }).observe(whole);
}

/** A closer look at an object, in a dialog over the page. */

function watchPreviews(): void {
  const post = async (path: string, handle: string, signal: AbortSignal) =>
    (await postSessionForm(path, { handle }, signal)).text();
  const look = createLookDialog(getElement<HTMLDialogElement>('#preview'), {
    ask: (handle, signal) => post('/picker/preview', handle, signal),
    askLike: (handle, signal) => post('/picker/preview/like', handle, signal),
    show: showFragment,
    fail: showProblem,
  });
  onClick(document, '[data-preview]', (button) => {
    const handle = button.closest<HTMLElement>('[data-handle]')?.dataset.handle;
    if (handle !== undefined) void look(handle);
  });
}
