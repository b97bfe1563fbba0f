/** Sends a form with a file and shows its progress; problems are shown on the same page. */
export function improveUploadForm(form: HTMLFormElement): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (form.getAttribute('aria-busy') !== 'true') send(form, event.submitter);
  });
}

function send(form: HTMLFormElement, button: HTMLElement | null): void {
  const request = new XMLHttpRequest();
  request.open('POST', form.action);
  request.responseType = 'document';
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    showSent(form, total === 0 ? 100 : Math.floor((100 * loaded) / total));
  });
  request.addEventListener('load', () => {
    if (request.responseURL !== form.action) return location.assign(request.responseURL);
    const answer = request.responseXML?.querySelector('main');
    if (answer) showAnswer(answer);
    else location.reload();
  });
  // Not resent automatically: it may be large.
  request.addEventListener('error', () => showBroken(form));
  form.setAttribute('aria-busy', 'true');
  request.send(new FormData(form, button));
}

function showSent(form: HTMLFormElement, percent: number): void {
  showProgress(form, percent, ({ text = '' }) => text.replace('%percent%', String(percent)));
}

function showBroken(form: HTMLFormElement): void {
  form.removeAttribute('aria-busy');
  showProgress(form, null, ({ broken = '' }) => broken);
}

/** @param percent null hides the bar */
function showProgress(form: HTMLFormElement, percent: number | null, choose: (texts: DOMStringMap) => string): void {
  const place = form.querySelector<HTMLElement>('[data-upload-progress]');
  const bar = place?.querySelector('progress');
  const line = place?.querySelector('span');
  if (!place || !bar || !line) return;
  place.hidden = false;
  bar.hidden = percent === null;
  bar.value = percent ?? 0;
  line.textContent = choose(place.dataset);
}

function showAnswer(answer: HTMLElement): void {
  const chosen = document.querySelector<HTMLInputElement>('input[type="file"]');
  const fileField = answer.querySelector<HTMLInputElement>('input[type="file"]');
  if (chosen !== null && fileField !== null) {
    chosen.removeAttribute('aria-invalid');
    fileField.replaceWith(chosen);
  }
  document.querySelector('main')?.replaceWith(answer);
  const form = document.querySelector<HTMLFormElement>('form[data-upload]');
  if (form !== null) improveUploadForm(form);
  document.querySelector<HTMLElement>('.problems')?.scrollIntoView();
  answer.focus();
}
