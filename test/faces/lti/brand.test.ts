import { readFileSync } from 'node:fs';
import express from 'express';
import { expect, test } from 'vitest';
import { measureColourContrast } from '../../../src/domain/colour.ts';
import { sendBrandStyles } from '../../../src/faces/lti/send.ts';

const css = readFileSync('views/assets/tokens.css', 'utf8');

/** What stands below text of the accent's colour, in light and dark. */
const grounds = ['ground', 'surface', 'tint'].map((name) => {
  const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css)!;
  return { light: light!, dark: dark! };
});

/** Every colour of a coarse grid. */
const steps = ['00', '33', '66', '99', 'cc', 'ff'];
const colours = steps.flatMap((red) => steps.flatMap((green) => steps.map((blue) => red + green + blue)));

test('makes any colour of a tenant readable on every background', async () => {
  const server = express().get('/:colour', sendBrandStyles).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : null;
  const unreadable: string[] = [];
  for (const colour of colours) {
    const styles = await (await fetch(`http://127.0.0.1:${port}/${colour}.css`)).text();
    const [, light, dark] = /--accent: light-dark\((#\w{6}), (#\w{6})\)/.exec(styles)!;
    const [, onLight, onDark] = /--on-accent: light-dark\((#\w{6}), (#\w{6})\)/.exec(styles)!;
    const pairs = [
      ...grounds.flatMap((ground) => [
        [light!, ground.light],
        [dark!, ground.dark],
      ]),
      [onLight!, light!],
      [onDark!, dark!],
    ] as const;
    if (pairs.some(([text, ground]) => measureColourContrast(text, ground) < 4.5)) unreadable.push(colour);
  }
  server.close();
  expect(unreadable).toEqual([]);
});
