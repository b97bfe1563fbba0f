// A child process: an upstream of the specification that searches after so many milliseconds.
import { startFakeUpstream } from '../../test/fakes/upstream.ts';

const upstream = await startFakeUpstream();
upstream.reply('search-provider', { delayMs: Number(process.argv[2]) });
console.log(upstream.url);
