/** The colours of the pages of the LTI tool. In the frame of a platform they are light, as the page
 *  around them, unless the reader chooses dark; in a window of their own they follow the system.
 *  This script runs before the page is drawn. The choice is remembered by the browser; where its
 *  storage is blocked, it lasts as long as the page. */

const KEY = 'skilldock-theme';
const { documentElement: root } = document;

root.dataset.theme = readTheme() ?? (window.parent === window ? 'system' : 'light');
document.addEventListener('DOMContentLoaded', startSwitch);

function startSwitch(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-theme-switch]');
  if (button === null) return;
  const show = () => button.setAttribute('aria-pressed', String(isDark()));
  show();
  button.hidden = false;
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    rememberTheme(root.dataset.theme);
    show();
  });
}

function isDark(): boolean {
  const { theme } = root.dataset;
  return theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
}

/** Null where nothing is chosen, or storage is blocked. */
function readTheme(): string | null {
  try {
    const theme = localStorage.getItem(KEY);
    return theme === 'dark' || theme === 'light' ? theme : null;
  } catch {
    return null;
  }
}

function rememberTheme(theme: string): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Blocked in the frame of another site.
  }
}
