/** Chooses light or dark before the page is drawn: in a frame light, unless the reader chose. */

const KEY = 'skilldock-theme';
const { documentElement: root } = document;

if (window.parent !== window) root.dataset.framed = '';
root.dataset.theme = readTheme() ?? (window.parent === window ? 'system' : 'light');
document.addEventListener('DOMContentLoaded', startThemeSwitch);

function startThemeSwitch(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-theme-switch]');
  if (button === null) return;
  const showChosen = () => button.setAttribute('aria-pressed', String(isThemeDark()));
  showChosen();
  button.addEventListener('click', () => {
    root.dataset.theme = isThemeDark() ? 'light' : 'dark';
    rememberTheme(root.dataset.theme);
    showChosen();
  });
}

function isThemeDark(): boolean {
  const { theme } = root.dataset;
  return theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
}

/** @returns null without a choice, or if storage is blocked */
function readTheme(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return new RegExp(`\\b${KEY}=(dark|light)`).exec(document.cookie)?.[1] ?? null;
  }
}

/** Stores the choice; if storage is blocked, in a partitioned cookie, which may be allowed. */
function rememberTheme(theme: string): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API cannot set partitioned ones everywhere
    document.cookie = `${KEY}=${theme}; max-age=31536000; path=/lti; samesite=none; secure; partitioned`;
  }
}
