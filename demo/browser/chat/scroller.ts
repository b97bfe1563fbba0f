/** Scrolls the messages, with a button that leads to new ones below. */

export function createScroller(place: HTMLElement, jump: HTMLElement) {
  const isAtEnd = () => place.scrollHeight - place.scrollTop - place.clientHeight < 120;
  let target: HTMLElement | null = null;

  /** A long message from its beginning. */
  function bring(message: HTMLElement): void {
    const [{ top, bottom }, sight] = [message.getBoundingClientRect(), place.getBoundingClientRect()];
    const isLong = bottom - top > sight.height;
    place.scrollTop += isLong ? top - sight.top : Math.max(0, bottom - sight.bottom + 8);
    jump.hidden = true;
  }

  place.addEventListener('scroll', () => {
    if (isAtEnd()) jump.hidden = true;
  });
  jump.addEventListener('click', () => {
    if (target === null) return;
    bring(target);
    target.focus({ preventScroll: true });
  });

  return {
    isAtEnd,
    bring,
    /** Says that there is something below, where it is not in sight. */
    offer(message: HTMLElement): void {
      target = message;
      jump.hidden = message.getBoundingClientRect().top < place.getBoundingClientRect().bottom;
    },
    toTop(): void {
      place.scrollTop = 0;
      jump.hidden = true;
    },
    toEnd(): void {
      place.scrollTop = place.scrollHeight;
      jump.hidden = true;
    },
  };
}
