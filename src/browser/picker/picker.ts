import '../lti/address.ts';
import { getElement, onClick } from '../dom.ts';
import { createHeightRequester } from '../frame-height.ts';
import { createLookDialog } from '../look-dialog.ts';
import { postSessionForm, showSessionFragment, showSessionProblem } from '../lti/session.ts';
import { loadPart } from '../object/load-part.ts';
import { startOwnLink } from './own-link.ts';
import { startPlan } from './plan.ts';
import { watchSearch } from './search.ts';
import { startShelf } from './shelf.ts';
import { watchTabsAndMenu } from './tabs.ts';
import { startTray } from './tray.ts';

/** Asks for a measurement at each hundredth of the height. */
const THRESHOLDS = Array.from({ length: 101 }, (_, percent) => percent / 100);

/** Pixels of a usual window, so that the tray is visible. */
const FRAME_HEIGHT = 640;

createHeightRequester()?.(FRAME_HEIGHT);
stickToVisibleEdge();
watchTabsAndMenu(getElement('.tabs'), getElement<HTMLSelectElement>('.tabs-menu'));
watchSearch();
// `autofocus` does nothing in a frame of another site.
getElement('#q').focus({ preventScroll: true });
watchPickerPreviews();
// Dead links in the course are shown without being asked for.
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

/** A platform may make the frame higher than its dialog, and scroll the dialog. Elements that stick
 *  to the lower edge of the window would then be hidden, so they stick to the visible edge:
 *  `--unseen-below` has the number of hidden pixels. */
function stickToVisibleEdge(): void {
  if (window.parent === window) return;
  const probe = document.createElement('div');
  probe.className = 'whole-window';
  document.body.append(probe);
  const measure = (entries: readonly IntersectionObserverEntry[]) => {
    const { boundingClientRect: whole, intersectionRect: visible } = entries.at(-1) as IntersectionObserverEntry;
    // While people scroll past the frame, all of it is hidden.
    const below = visible.height === 0 ? 0 : Math.round(whole.bottom - visible.bottom);
    document.documentElement.style.setProperty('--unseen-below', `${below}px`);
  };
  new IntersectionObserver(measure, { threshold: THRESHOLDS }).observe(probe);
}

function watchPickerPreviews(): void {
  const post = async (path: string, handle: string, signal: AbortSignal) =>
    (await postSessionForm(path, { handle }, signal)).text();
  const look = createLookDialog(getElement<HTMLDialogElement>('#preview'), {
    ask: (handle, signal) => post('/picker/preview', handle, signal),
    askLike: (handle, signal) => post('/picker/preview/like', handle, signal),
    show: showSessionFragment,
    fail: showSessionProblem,
  });
  onClick(document, '[data-preview]', (button) => {
    const handle = button.closest<HTMLElement>('[data-handle]')?.dataset.handle;
    if (handle !== undefined) void look(handle);
  });
}
