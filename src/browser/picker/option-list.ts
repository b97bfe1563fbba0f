/** A list of words below a field, one of which may be marked while the focus stays in the field. */

const MAX_OPTIONS = 8;

export interface OptionList {
  isOpen(): boolean;
  /** Null where none is marked. */
  marked(): string | null;
  /** @returns how many are shown */
  show(labels: readonly string[]): number;
  /** Mark the next one, or with -1 the one before; behind the last one is the field itself. */
  move(step: 1 | -1): void;
  close(): void;
  /** The words that an element of the list stands for; null for anything else. */
  wordsAt(target: EventTarget | null): string | null;
}

export function createOptionList(field: HTMLInputElement, list: HTMLElement): OptionList {
  let active = -1;
  const options = () => [...list.children] as HTMLElement[];

  function mark(index: number): void {
    active = index;
    for (const [i, option] of options().entries()) option.setAttribute('aria-selected', String(i === index));
    const option = options()[index];
    option?.scrollIntoView({ block: 'nearest' });
    if (option === undefined) field.removeAttribute('aria-activedescendant');
    else field.setAttribute('aria-activedescendant', option.id);
  }

  function setOpen(isOpen: boolean): void {
    list.hidden = !isOpen;
    field.setAttribute('aria-expanded', String(isOpen));
  }

  return {
    isOpen: () => !list.hidden,
    marked: () => options()[active]?.textContent ?? null,
    show(labels) {
      list.replaceChildren(...labels.slice(0, MAX_OPTIONS).map(createOption));
      mark(-1);
      setOpen(labels.length > 0);
      return options().length;
    },
    move(step) {
      const places = options().length + 1;
      mark(((active + 1 + step + places) % places) - 1);
    },
    close() {
      mark(-1);
      setOpen(false);
    },
    wordsAt: (target) => options().find((option) => option.contains(target as Node))?.textContent ?? null,
  };
}

function createOption(label: string, index: number): HTMLElement {
  const option = document.createElement('li');
  option.id = `completion-${index}`;
  option.role = 'option';
  option.textContent = label;
  return option;
}
