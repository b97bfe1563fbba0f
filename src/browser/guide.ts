/** Marks the part of a guide that is being read in its list of contents. */

const links = [...document.querySelectorAll<HTMLAnchorElement>('.guide-contents a')];
const headings = links.map(({ hash }) => document.getElementById(decodeURIComponent(hash.slice(1))));

function markCurrentHeading(): void {
  const limit = innerHeight / 4;
  const passed = headings.findLastIndex((heading) => heading !== null && heading.getBoundingClientRect().top < limit);
  for (const [index, link] of links.entries()) {
    if (index === Math.max(0, passed)) link.setAttribute('aria-current', 'location');
    else link.removeAttribute('aria-current');
  }
}

addEventListener('scroll', markCurrentHeading, { passive: true });
markCurrentHeading();
