export function offerCopying(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
    // Over http, browsers allow copying only on this machine itself.
    button.hidden = !('clipboard' in navigator);
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(button.dataset.copy ?? '');
      button.textContent = button.dataset.copied ?? button.textContent;
    });
  }
}
