import { postForm, showFragment, showProblem } from '../lti/session.ts';
import { problemPlaceOf } from './forms-in-place.ts';

/** Tell the host when somebody goes to an object on its own site that is done by viewing.
 *  @param whenShown told of the place where it says so then */
export function countOpening(whenShown: (place: Element) => void): void {
  const link = document.querySelector<HTMLElement>('[data-opens]');
  const place = document.querySelector('#done');
  if (link === null || place === null) return;
  const placement = link.dataset.opens ?? '';
  const tell = async () => {
    try {
      const response = await postForm('/object/opened', { placement });
      // The object was replaced meanwhile: the page that says so is where we were led.
      if (response.redirected) return location.assign(response.url);
      showFragment(place, await response.text());
      whenShown(place);
    } catch (error) {
      showProblem(problemPlaceOf(place), error);
    }
  };
  link.addEventListener('click', tell);
  // The middle button opens a tab, too.
  link.addEventListener('auxclick', ({ button }) => {
    if (button === 1) void tell();
  });
}
