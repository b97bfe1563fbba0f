/** Closes the platform's frame, and prevents a second submission: its token is valid once. */

const platform: Window | null = window.opener ?? (window.parent === window ? null : window.parent);
const close = document.querySelector<HTMLButtonElement>('[data-close]');
if (close !== null && platform !== null) {
  close.hidden = false;
  for (const byHand of document.querySelectorAll<HTMLElement>('[data-close-by-hand]')) byHand.hidden = true;
  close.addEventListener('click', () => {
    // The message is not secret, and the origin of the outer page may be unknown.
    platform.postMessage({ subject: 'org.imsglobal.lti.close' }, '*');
  });
}

// The platform's page is still scrolled to the submitted form.
document.querySelector<HTMLElement>('[data-begin]')?.focus();

const form = document.querySelector<HTMLFormElement>('form[data-once]');
form?.addEventListener('submit', () => {
  const button = form.querySelector<HTMLButtonElement>('button[type=submit]');
  if (button === null) return;
  button.disabled = true;
  button.textContent = button.dataset.busy ?? button.textContent;
});
