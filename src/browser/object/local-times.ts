/** Times of the reader's own clock, in place of the days of Greenwich that the host wrote. */
export function showLocalTimes(place: ParentNode): void {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  for (const time of place.querySelectorAll<HTMLTimeElement>('time[data-local]'))
    time.textContent = format.format(new Date(time.dateTime));
}
