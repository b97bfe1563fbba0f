export function watchFilterField(part: HTMLElement): void {
  const input = part.querySelector('input');
  const status = part.querySelector('[role="status"]');
  const boxes = document.querySelector(`#${part.dataset.filter}`);
  if (input === null || boxes === null) return;
  part.hidden = false;
  input.addEventListener('input', () => {
    const words = fold(input.value);
    const labels = [...boxes.querySelectorAll('label')];
    for (const label of labels) label.hidden = !fold(label.textContent ?? '').includes(words);
    const visibleCount = labels.filter((label) => !label.hidden).length;
    if (status !== null) status.textContent = fill(part.dataset.count, { shown: visibleCount, total: labels.length });
  });
  // Enter must not submit the form here.
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') event.preventDefault();
  });
}

export function countTickedFields(line: HTMLElement): void {
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

export function joinColourField(picker: HTMLInputElement): void {
  const field = document.querySelector<HTMLInputElement>(`#${picker.dataset.pickerFor}`);
  if (field === null) return;
  picker.hidden = false;
  picker.addEventListener('input', () => {
    field.value = picker.value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  field.addEventListener('input', () => {
    if (/^#[0-9a-f]{6}$/i.test(field.value.trim())) picker.value = field.value.trim().toLowerCase();
  });
}
