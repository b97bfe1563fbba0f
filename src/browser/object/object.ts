/** Sends forms and loads slow parts in place, awaits the score, and reports the height. */

import '../lti/address.ts';
import { parseHtml } from '../dom.ts';
import { createHeightRequester } from '../frame-height.ts';
import { fetchSessionFragment, postSessionForm, sendSessionBeacon, showSessionFragment } from '../lti/session.ts';
import { forgetSentTray } from '../sent-tray.ts';
import { countOpening, sendInPlace } from './forms-in-place.ts';
import { followWithinPart, loadPart, showPartTimes } from './load-part.ts';

/** Pauses before each check for the score. Nobody waits for a score that takes longer. */
const CHECK_AFTER_MS = [1_500, 3_000, 6_000, 12_000, 24_000, 48_000];

const AWAITED = '[data-awaited]';
const UNDO_SECONDS = 10;

/** Space below the visible part, including borders of frames. */
const EDGE_PX = 8;

forgetSentTray();
fitObjectFrame();
reportObjectHeight();
showPartTimes(document.body);
for (const place of document.querySelectorAll<HTMLElement>('[data-load]')) {
  followWithinPart(place);
  void loadPart(place);
}
// Rarely opened parts are loaded on opening.
document.addEventListener(
  'toggle',
  ({ target }) => {
    const place = target instanceof Element ? target.querySelector<HTMLElement>('[data-load-open]') : null;
    if (place === null) return;
    place.dataset.load = place.dataset.loadOpen;
    delete place.dataset.loadOpen;
    void loadPart(place);
  },
  { capture: true },
);
const followObjectPlace = (place: Element) => {
  showPartTimes(place);
  if (place.id === 'done') followObjectDone(place);
  else watchObjectUndo(place);
};
sendInPlace(followObjectPlace);
countOpening(followObjectPlace);
const done = document.querySelector('#done');
if (done !== null) followObjectDone(done);

/** Releases the score once the completion can no longer be undone, and shows whether it arrived. */
function followObjectDone(place: Element): void {
  watchObjectUndo(place, (isLeft) => {
    if (isLeft) sendSessionBeacon('/object/done/release');
    // If this fails, the host releases the score by itself.
    else
      void postSessionForm('/object/done/release', {}).then(
        async () => {
          showSessionFragment(place, await fetchSessionFragment('/object/done'));
          followObjectPlace(place);
        },
        () => undefined,
      );
  });
  void awaitObjectScore(place);
}

/** Fits the frame of the object into the window, with what is above and below it. */
function fitObjectFrame(): void {
  const first = document.querySelector<HTMLElement>('.object-first');
  const frame = first?.querySelector<HTMLElement>('.object-frame');
  if (!first || !frame) return;
  const measure = () => {
    const beside = first.offsetTop + first.offsetHeight - frame.offsetHeight;
    document.documentElement.style.setProperty('--beside-frame', `${beside + EDGE_PX}px`);
  };
  new ResizeObserver(measure).observe(first);
}

/** Reports changes of the page's height to the platform, so that the frame needs no scroll bar. */
function reportObjectHeight(): void {
  const requestHeight = createHeightRequester();
  if (requestHeight === null) return;
  let reportedHeight = 0;
  // A platform that grants the height needs no fitting.
  addEventListener('resize', () => {
    if (reportedHeight > 0 && innerHeight === reportedHeight) document.documentElement.dataset.follows = '';
  });
  const report = () => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height === reportedHeight) return;
    reportedHeight = height;
    requestHeight(height);
  };
  new ResizeObserver(report).observe(document.body);
}

async function awaitObjectScore(place: Element): Promise<void> {
  for (const waitMs of CHECK_AFTER_MS) {
    if (place.querySelector(AWAITED) === null) return;
    await new Promise((later) => setTimeout(later, waitMs));
    const html = await fetchSessionFragment('/object/done').catch(() => null);
    if (html === null || parseHtml(html).querySelector(AWAITED) !== null) continue;
    const hadFocus = place.contains(document.activeElement);
    showSessionFragment(place, html);
    showPartTimes(place);
    if (hadFocus) place.querySelector<HTMLElement>('[data-focus]')?.focus({ preventScroll: true });
  }
}

/** Counts down the seconds in `[data-undo-left]` of `<form data-undo>`, which undoes the last
 *  action, and then removes the form. The host holds the action back a little longer.
 *  @param whenOver called once then, or when the page is left; not after an undo */
function watchObjectUndo(place: ParentNode, whenOver: (isLeft: boolean) => void = () => undefined): void {
  const form = place.querySelector<HTMLFormElement>('form[data-undo]');
  if (form === null) return;
  const secondsPlace = form.querySelector('[data-undo-left]');
  let seconds = UNDO_SECONDS;
  const end = (isLeft: boolean) => {
    clearInterval(timer);
    removeEventListener('pagehide', leave);
    // The form is gone after an undo, or where its place was drawn again.
    if (!form.isConnected) return;
    const hadFocus = form.contains(document.activeElement);
    const focus = form.closest<HTMLElement>('[tabindex]');
    form.remove();
    if (hadFocus) focus?.focus({ preventScroll: true });
    whenOver(isLeft);
  };
  const leave = () => end(true);
  const show = () => {
    if (secondsPlace !== null) secondsPlace.textContent = `${seconds} s`;
  };
  const timer = setInterval(() => {
    seconds--;
    show();
    // A form that is being sent must not be removed.
    if (seconds <= 0 && form.ariaBusy !== 'true') end(false);
  }, 1_000);
  addEventListener('pagehide', leave);
  show();
}
