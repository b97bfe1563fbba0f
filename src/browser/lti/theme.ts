/** The colours of the pages of the LTI tool. In the frame of a platform they are light, as the page
 *  around them, unless the reader chooses dark; in a window of their own they follow the system.
 *  This script runs before the page is drawn. The browser remembers the choice. */

const KEY = 'skilldock-theme';
const { documentElement: root } = document;

if (window.parent !== window) root.dataset.framed = '';
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

/** Null where nothing is chosen, or the browser stores nothing. */
function readTheme(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return new RegExp(`\\b${KEY}=(dark|light)`).exec(document.cookie)?.[1] ?? null;
  }
}

/** Where storage is blocked in the frame of another site, a cookie of this frame may be allowed. */
function rememberTheme(theme: string): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API cannot set partitioned ones everywhere
    document.cookie = `${KEY}=${theme}; max-age=31536000; path=/lti; samesite=none; secure; partitioned`;
  }
}
