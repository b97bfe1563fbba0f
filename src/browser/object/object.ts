/** The page of an object in a course works without this. It sends forms and fetches slow parts without a new page, waits for the
 *  score to arrive, and tells the platform how high the page is. */

import { findFrame } from '../frame-height.ts';
import { forgetSentTray } from '../sent-tray.ts';
import { awaitScore } from './await-score.ts';
import { countOpening, sendInPlace } from './forms-in-place.ts';
import { loadPart, showPartTimes } from './load-part.ts';

forgetSentTray();
tellHeight();
showPartTimes(document.body);
for (const place of document.querySelectorAll<HTMLElement>('[data-load]')) void loadPart(place);
const follow = (place: Element) => {
  showPartTimes(place);
  awaitScore(place);
};
sendInPlace(follow);
countOpening(follow);
const done = document.querySelector('#done');
if (done !== null) awaitScore(done);

/** Tell the platform how high the page is, whenever that changes, so that its frame has no scroll bar of its own. */
function tellHeight(): void {
  const askFor = findFrame();
  if (askFor === null) return;
  let told = 0;
  const tell = () => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height === told) return;
    told = height;
    askFor(height);
  };
  new ResizeObserver(tell).observe(document.body);
}
