/** Stores the secret of a login for the launch, then continues to the platform. If neither storage
 *  nor cookies work, explains it, as the platform would not accept the same login again. */
import { keepLocalBinding } from './local-bindings.ts';
import { openPlatformStorage } from './platform-storage.ts';

const page = document.querySelector<HTMLElement>('[data-login]');
if (page !== null) await continueLogin(page);

async function continueLogin(page: HTMLElement): Promise<void> {
  const { state = '', binding = '', storageTarget = '', platformOrigin = '' } = page.dataset;
  const isKeptLocally = keepLocalBinding(state, binding);
  const storage = openPlatformStorage(storageTarget, platformOrigin);
  const isKeptByPlatform = await storage?.put(`lti_state_${state}`, binding);
  if (!(isKeptLocally || isKeptByPlatform || (await isLoginCookieStored(state)))) return showBlockedLogin(page);
  const platform = page.querySelector<HTMLAnchorElement>('[data-on]');
  // With `replace`, as nobody wants to come back to this page.
  if (platform !== null) location.replace(platform.href);
}

/** Whether the cookie is stored; true if this cannot be determined. */
async function isLoginCookieStored(state: string): Promise<boolean> {
  try {
    const response = await fetch(`/lti/login/check?state=${encodeURIComponent(state)}`);
    return ((await response.json()) as { readonly isKept: boolean }).isKept;
  } catch {
    return true;
  }
}

function showBlockedLogin(page: HTMLElement): void {
  const setHidden = (selector: string, isHidden: boolean) => {
    for (const part of page.querySelectorAll<HTMLElement>(selector)) part.hidden = isHidden;
  };
  setHidden('[data-going]', true);
  // A separate window has no frame to leave.
  if (window.parent === window) setHidden('[data-in-frame]', true);
  setHidden('[data-blocked]', false);
}
