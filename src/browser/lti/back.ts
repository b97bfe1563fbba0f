/** Goes back to the page that was sent, which still has all that was kept with it; by its address, it would begin anew where a browser
 *  blocks storage. */

document.querySelector('[data-back]')?.addEventListener('click', (event) => {
  event.preventDefault();
  history.back();
});
