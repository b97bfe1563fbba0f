// A child process: answers each path with the bytes it was given for it, by nothing but Express.
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { required } from '../required.ts';

const bodies = new Map(
  Object.entries(JSON.parse(readFileSync(required(process.argv[2], 'file'), 'utf8')) as Record<string, string>),
);
const app = express();
app.get('/learningobject/v2/search-provider', (request, response) => {
  response.type('application/json').send(bodies.get(request.url));
});
const server = app.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
