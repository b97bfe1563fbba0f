import { findFrame } from '../frame-height.ts';

/** Tell the platform how high the page is, whenever that changes, so that its frame has no scroll bar of its own. */
export function tellHeight(): void {
  const askFor = findFrame();
  if (askFor === null) return;
  let told = 0;
  const tell = () => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height === told) return;
    told = height;
    askFor(height);
  };
  new ResizeObserver(tell).observe(document.body);
}
