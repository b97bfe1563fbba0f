/** Shows how far an import is while somebody watches, and the whole page anew when it has ended. */

interface ImportView {
  readonly isRunning: boolean;
  readonly percent: number | null;
  readonly text: string;
}

const EVERY_MS = 1_000;

const watched = document.querySelector<HTMLElement>('[data-import]');
if (watched !== null) void watch(watched);

async function watch(panel: HTMLElement): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    const view = await read(panel.dataset.import ?? '');
    if (view === null) continue;
    // Also where people have to sign in again: the page leads there and back.
    if (view === 'signed-out' || !view.isRunning) return location.reload();
    show(panel, view);
  }
}

/** Null where the host cannot be asked right now, 'signed-out' where it asks for a sign-in instead. */
async function read(address: string): Promise<ImportView | 'signed-out' | null> {
  try {
    const response = await fetch(address, { headers: { accept: 'application/json' } });
    if (response.redirected) return 'signed-out';
    return response.ok ? ((await response.json()) as ImportView) : null;
  } catch {
    return null;
  }
}

function show(panel: HTMLElement, { percent, text }: ImportView): void {
  const bar = panel.querySelector('progress');
  if (bar !== null && percent !== null) bar.value = percent;
  const line = panel.querySelector('[data-import-text]');
  if (line !== null && line.textContent !== text) line.textContent = text;
}
