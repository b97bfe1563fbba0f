/** One shelf here and in Slack: the forms of `views/lti/partials/shelf-link.eta`, sent without a new page. */

import { announce, parseFragment, postForm, toMessage } from '../lti/session.ts';

/** @param panel of the shelf, where the forms come and go
 *  @param reload reads the list of what is saved anew; settled when it is there */
export function listenToLinking(panel: HTMLElement, reload: () => Promise<void>): void {
  panel.addEventListener('submit', async (event) => {
    const form = event.target as HTMLFormElement;
    if (!form.matches('[data-shelf-link]')) return;
    event.preventDefault();
    if (form.ariaBusy === 'true') return;
    form.ariaBusy = 'true';
    try {
      const response = await postForm('/picker/shelf/link', new FormData(form));
      const section = parseFragment(await response.text()).firstElementChild;
      if (section?.matches('[data-is-changed]')) await reload();
      show(panel, section);
    } catch (error) {
      announce(toMessage(error) ?? '');
      form.querySelector('.problem')?.remove();
      form.append(problemOf(error));
    }
    form.ariaBusy = null;
  });
}

/** In place of what is there, with the focus where it goes on. */
function show(panel: HTMLElement, section: Element | null): void {
  // Gone where another list is looked at by now.
  const standing = panel.querySelector('#shelf-link');
  if (section === null || standing === null) return;
  standing.replaceWith(section);
  section.querySelector<HTMLElement>('[data-focus]')?.focus();
  announce(section.querySelector('[data-announce]')?.textContent?.trim().replace(/\s+/g, ' ') ?? '');
}

function problemOf(error: unknown): HTMLElement {
  return Object.assign(document.createElement('p'), {
    className: 'problem',
    textContent: toMessage(error) ?? '',
  });
}
