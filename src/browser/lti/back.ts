/** Goes back to the page that was sent, which still has all that was kept with it; by its address,
 *  it would begin anew where a browser blocks storage. */

import './address.ts';

document.querySelector('[data-back]')?.addEventListener('click', (event) => {
  event.preventDefault();
  history.back();
});
