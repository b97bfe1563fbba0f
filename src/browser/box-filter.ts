/** Many boxes are easier with a field that narrows them and a line that says how many are ticked. */

export function filterBoxes(part: HTMLElement): void {
  const input = part.querySelector('input');
  const status = part.querySelector('[role="status"]');
  const boxes = document.querySelector(`#${part.dataset.filter}`);
  if (input === null || boxes === null) return;
  part.hidden = false;
  input.addEventListener('input', () => {
    const words = fold(input.value);
    const labels = [...boxes.querySelectorAll('label')];
    for (const label of labels) label.hidden = !fold(label.textContent ?? '').includes(words);
    const shown = labels.filter((label) => !label.hidden).length;
    if (status !== null) status.textContent = fill(part.dataset.count, { shown, total: labels.length });
  });
  // The form is not meant by the Enter key here.
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') event.preventDefault();
  });
}

export function countTicked(line: HTMLElement): void {
  const boxes = document.querySelector(`#${line.dataset.ticked}`);
  boxes?.addEventListener('change', () => {
    const ticked = boxes.querySelectorAll(':checked').length;
    line.textContent = ticked === 0 ? (line.dataset.none ?? '') : fill(line.dataset.some, { ticked });
  });
}

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .trim();
}

function fill(text = '', values: Readonly<Record<string, number>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) =>
    (values[name] ?? 0).toLocaleString(document.documentElement.lang),
  );
}
