/** Submits the selection to the platform; a button does so without scripts. */

import './address.ts';
import { forgetSentTray } from '../sent-tray.ts';

forgetSentTray();
const form = document.querySelector<HTMLFormElement>('#return');
// A page restored from the browser's cache must not submit again.
const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
if (form !== null && visit?.type !== 'back_forward') form.submit();
