/** Ends the picker's selection on the page that hands it over. */

export const toTrayStorageKey = (tray: string | undefined): string => `skilldock-tray-${tray}`;
export const toSentStorageKey = (tray: string | undefined): string => `skilldock-sent-${tray}`;

/** Removes the delivered selection, or sets it aside if the page says so. */
export function forgetSentTray(): void {
  const { sentTray: tray, setAside } = document.querySelector<HTMLElement>('[data-sent-tray]')?.dataset ?? {};
  try {
    if (!tray) return;
    const selection = sessionStorage.getItem(toTrayStorageKey(tray));
    if (setAside !== undefined && selection !== null) sessionStorage.setItem(toSentStorageKey(tray), selection);
    sessionStorage.removeItem(toTrayStorageKey(tray));
  } catch {
    // Without storage, there is nothing to remove.
  }
}
