/** Keep the secret of a login where the launch can find it, then go on to the platform. The cookie
 *  came with the page. Where nothing keeps it, say so: the platform would not take the same login
 *  again. */
import { keepLocalBinding } from './local-bindings.ts';
import { openPlatformStorage } from './platform-storage.ts';

const page = document.querySelector<HTMLElement>('[data-login]');
if (page !== null) await goOn(page);

async function goOn(page: HTMLElement): Promise<void> {
  const { state = '', binding = '', storageTarget = '', platformOrigin = '' } = page.dataset;
  const isKeptHere = keepLocalBinding(state, binding);
  const storage = openPlatformStorage(storageTarget, platformOrigin);
  const isKeptThere = await storage?.put(`lti_state_${state}`, binding);
  if (!(isKeptHere || isKeptThere || (await isCookieStored(state)))) return showBlocked(page);
  const platform = page.querySelector<HTMLAnchorElement>('[data-on]');
  // With `replace`, as nobody wants to come back to this page.
  if (platform !== null) location.replace(platform.href);
}

/** Whether the cookie comes back to the host. Where we cannot find out, we go on. */
async function isCookieStored(state: string): Promise<boolean> {
  try {
    const response = await fetch(`/lti/login/check?state=${encodeURIComponent(state)}`);
    return ((await response.json()) as { readonly isKept: boolean }).isKept;
  } catch {
    return true;
  }
}

function showBlocked(page: HTMLElement): void {
  const setHidden = (selector: string, isHidden: boolean) => {
    for (const part of page.querySelectorAll<HTMLElement>(selector)) part.hidden = isHidden;
  };
  setHidden('[data-going]', true);
  // In a window of its own there is no frame to leave.
  if (window.parent === window) setHidden('[data-in-frame]', true);
  setHidden('[data-blocked]', false);
}
