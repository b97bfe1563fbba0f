/** The page of an object in a course works without this. It sends forms and fetches what takes long without a new page,
 *  waits for the score to arrive, and tells the platform how high the page is. */

import { forgetSentTray } from '../sent-tray.ts';
import { awaitScore } from './await-score.ts';
import { countOpening } from './count-opening.ts';
import { sendInPlace } from './forms-in-place.ts';
import { loadPart } from './load-part.ts';
import { showLocalTimes } from './local-times.ts';
import { tellHeight } from './tell-height.ts';

forgetSentTray();
tellHeight();
showLocalTimes(document.body);
for (const place of document.querySelectorAll<HTMLElement>('[data-load]')) void loadPart(place);
const follow = (place: Element) => {
  showLocalTimes(place);
  awaitScore(place);
};
sendInPlace(follow);
countOpening(follow);
const done = document.querySelector('#done');
if (done !== null) awaitScore(done);
