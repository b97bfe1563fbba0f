/** Registering a platform works without this script, except for closing its frame. It tells the
 *  platform that all is done, and keeps a form from being sent twice, as the platform's token is
 *  good for one registration. */

const platform: Window | null = window.opener ?? (window.parent === window ? null : window.parent);

const close = document.querySelector<HTMLButtonElement>('[data-close]');
if (close !== null && platform !== null) {
  close.hidden = false;
  for (const byHand of document.querySelectorAll<HTMLElement>('[data-close-by-hand]')) byHand.hidden = true;
  close.addEventListener('click', () => {
    // The message is not secret, and we may not know the address of the page around us.
    platform.postMessage({ subject: 'org.imsglobal.lti.close' }, '*');
  });
}

// The platform's page is still scrolled to where the form was sent from.
document.querySelector<HTMLElement>('[data-begin]')?.focus();

const form = document.querySelector<HTMLFormElement>('form[data-once]');
form?.addEventListener('submit', () => {
  const button = form.querySelector<HTMLButtonElement>('button[type=submit]');
  if (button === null) return;
  button.disabled = true;
  button.textContent = button.dataset.busy ?? button.textContent;
});
