/** Keep the secret of a login where the launch can find it, then go on to the platform. The cookie came with the page. Where
 *  nothing keeps it, say so: the platform would not take the same login again. */
import { keepLocally } from './lti-local-bindings.ts';
import { openPlatformStorage } from './lti-platform-storage.ts';

const page = document.querySelector<HTMLElement>('[data-login]')!;
const find = (selector: string) => page.querySelector<HTMLElement>(selector)!;
const { state = '', binding = '', storageTarget = '', platformOrigin = '' } = page.dataset;

const isKeptHere = keepLocally(state, binding);
const isKeptThere = await openPlatformStorage(storageTarget, platformOrigin)?.put(
  `lti_state_${state}`,
  binding,
);
// Nobody wants to come back to this page.
if (isKeptHere || isKeptThere || (await comesBack()))
  location.replace((find('[data-on]') as HTMLAnchorElement).href);
else showBlocked();

/** Whether the cookie does. What cannot be found out shall stop nobody. */
async function comesBack(): Promise<boolean> {
  try {
    const response = await fetch(`/lti/login/check?state=${encodeURIComponent(state)}`);
    return ((await response.json()) as { readonly isKept: boolean }).isKept;
  } catch {
    return true;
  }
}

function showBlocked(): void {
  find('[data-going]').hidden = true;
  // A window of its own has nothing around it to leave.
  if (window.parent === window)
    for (const part of page.querySelectorAll<HTMLElement>('[data-in-frame]')) part.hidden = true;
  find('[data-blocked]').hidden = false;
}
