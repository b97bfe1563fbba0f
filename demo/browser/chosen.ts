/** Tells the course that the choice is over, and where it goes on. */
const { course = '/demo' } = document.querySelector('main')?.dataset ?? {};
if (parent === window) location.replace(course);
else parent.postMessage({ subject: 'demo.chosen', course }, location.origin);

export {};
