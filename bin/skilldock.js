#!/usr/bin/env node
import { existsSync } from 'node:fs';

const program = new URL('../dist/src/main.js', import.meta.url);
if (existsSync(program)) await import(program.href);
else {
  console.error('Skilldock is not built yet. Run "npm run build" and try again.');
  process.exitCode = 2;
}
