import { Router } from 'express';
import type { Discovery } from '../../services/discovery/discovery.ts';
import { abortedWith } from '../aborted-with.ts';
import type { Limit } from './limiter.ts';
import { readSearchForm } from './search-form.ts';

/** Words that complete what is being typed, as an array of labels. */
export function createComplete(discovery: Discovery, limit: Limit): Router {
  return Router().get('/complete', async (request, response) => {
    await limit(request);
    const { q } = readSearchForm(request.originalUrl);
    const { suggestions } = await discovery.complete(q, { signal: abortedWith(response) });
    response.set('Cache-Control', 'public, max-age=300').json(suggestions.map(({ label }) => label));
  });
}
