import type { Response } from 'express';
import { views } from '../views.ts';
import type { Reader } from './reader.ts';

/** For an item that somebody removed, or that went with a reset. */
export function sendGone(response: Response, reader: Reader): void {
  const page = views.render('gone', { reader, courseUrl: reader.to('') });
  response.status(404).type('html').send(page);
}
