/** Goes back to the submitted page with its state, which its address alone would lose. */

import './address.ts';

document.querySelector('[data-back]')?.addEventListener('click', (event) => {
  event.preventDefault();
  history.back();
});
