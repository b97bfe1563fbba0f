/** Makes buttons with `data-copy` copy its text; hides them where browsers do not allow it. */
export function offerCopying(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
    // Over http, browsers allow copying only on this machine itself.
    button.hidden = !('clipboard' in navigator);
    button.addEventListener('click', async () => {
      const { copy = '', copied = button.textContent } = button.dataset;
      try {
        await navigator.clipboard.writeText(copy);
        button.textContent = copied;
      } catch {
        // Browsers may refuse it; people can copy the text from the dialog.
        prompt(button.textContent, copy);
      }
    });
  }
}
