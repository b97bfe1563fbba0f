/** The demo course: the dialog in which objects are chosen, the heights of frames, scores as they
 *  arrive. */
import './gradebook.ts';
import './platform-storage.ts';

const MAX_HEIGHT = 20_000;

const dialog = document.querySelector<HTMLDialogElement>('dialog.chooser');
const frame = dialog?.querySelector('iframe') ?? null;

for (const opener of document.querySelectorAll<HTMLAnchorElement>('[data-choose]')) {
  opener.addEventListener('click', (event) => {
    if (dialog === null || frame === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    frame.src = opener.dataset.choose ?? '';
    dialog.showModal();
  });
}

// What was shown there is over; the next choice begins anew.
dialog?.addEventListener('close', () => frame?.setAttribute('src', 'about:blank'));

const frames = () => [...document.querySelectorAll('iframe')];
addEventListener('message', ({ data, origin, source }: MessageEvent<unknown>) => {
  const sender = frames().find(({ contentWindow }) => contentWindow === source);
  const message = readMessage(data);
  if (sender === undefined || message === null) return;
  if (message.subject === 'demo.chosen' && origin === location.origin) location.assign(String(message.course));
  if (message.subject === 'org.imsglobal.lti.close') dialog?.close();
  if (message.subject === 'lti.frameResize' && sender !== frame) resize(sender, Number(message.height));
});

interface Message {
  readonly subject?: unknown;
  readonly course?: unknown;
  readonly height?: unknown;
}

/** Some tools send text, as older platforms wanted it. */
function readMessage(data: unknown): Message | null {
  try {
    const message: unknown = typeof data === 'string' ? JSON.parse(data) : data;
    return typeof message === 'object' ? (message as Message | null) : null;
  } catch {
    return null;
  }
}

function resize(sender: HTMLIFrameElement, height: number): void {
  if (height > 0 && height < MAX_HEIGHT) sender.style.height = `${Math.ceil(height)}px`;
}
