import type { Router } from 'express';
import { pictureForms } from '#domain/picture';
import { AppError } from '#errors';
import type { Pictures } from '#services/catalogue/pictures/pictures';
import { createStrictRouter } from '../strict-paths.ts';

/** One pixel, transparent: pages show it over the drawing for the kind of an object, so nothing looks broken. */
const NOTHING = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** Pictures of learning objects and logos of providers, for whoever has an address that a page of this host gave. Chats and
 *  learning platforms show them on pages of their own. */
export function createPictureRoute({ find }: Pick<Pictures, 'find'>): Router {
  return createStrictRouter().get('/pictures/:token/:form', async (request, response) => {
    const form = pictureForms.find((known) => known === request.params.form);
    const found = form === undefined ? null : await find(request.params.token, form);
    if (found === null || found.kind === 'unknown')
      throw new AppError(
        'PATH_UNKNOWN',
        'There is no such picture. Search again: results have the addresses of theirs.',
      );
    response.set({ 'Cross-Origin-Resource-Policy': 'cross-origin' });
    if (found.kind === 'picture') {
      response.set('Cache-Control', 'public, max-age=604800').type(form === '320.jpg' ? 'jpeg' : 'webp');
      response.send(found.bytes);
      return;
    }
    const cache = found.kind === 'none' ? 'public, max-age=300' : 'no-store';
    response.status(404).set('Cache-Control', cache).type('gif').send(NOTHING);
  });
}
