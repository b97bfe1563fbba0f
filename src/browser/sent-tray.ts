/** The selection of the picker, which ends on another page: where it was handed over. */

export const toTrayStorageKey = (tray: string | undefined): string => `skilldock-tray-${tray}`;

/** Forget the selection that the page says was handed over. */
export function forgetSentTray(): void {
  const tray = document.querySelector<HTMLElement>('[data-sent-tray]')?.dataset.sentTray;
  try {
    if (tray) sessionStorage.removeItem(toTrayStorageKey(tray));
  } catch {
    // Where a browser keeps nothing, there is nothing to forget.
  }
}
