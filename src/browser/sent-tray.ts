/** The selection of the picker, which ends on another page: where it was handed over. */

export const toTrayStorageKey = (tray: string | undefined): string => `skilldock-tray-${tray}`;

/** Where a selection is set aside that the platform may not have received. */
export const toSentStorageKey = (tray: string | undefined): string => `skilldock-sent-${tray}`;

/** Forgets the selection that the page says was handed over, or sets it aside where the page says
 *  so. */
export function forgetSentTray(): void {
  const { sentTray: tray, setAside } = document.querySelector<HTMLElement>('[data-sent-tray]')?.dataset ?? {};
  try {
    if (!tray) return;
    const selection = sessionStorage.getItem(toTrayStorageKey(tray));
    if (setAside !== undefined && selection !== null) sessionStorage.setItem(toSentStorageKey(tray), selection);
    sessionStorage.removeItem(toTrayStorageKey(tray));
  } catch {
    // Where a browser keeps nothing, there is nothing to forget.
  }
}
