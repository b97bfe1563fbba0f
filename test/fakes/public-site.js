import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

/** A public address, where a site of this machine stands for whatever there is: it has the port in `PUBLIC_SITE_PORT`. What a host
 *  may call it finds out before, from the address. To be loaded into the process of the host; threads have it too,
 *  and the processes that read sources, which get no variables of the host.
 *  That of www.iana.org, as those that are kept for documentation are never called. */
const PUBLIC_HOST = '192.0.32.8';

const { connect } = net;
net.connect = (options, ...rest) => {
  const isPublicSite = options.host === PUBLIC_HOST;
  const there = { host: '127.0.0.1', port: Number(process.env.PUBLIC_SITE_PORT) };
  return connect(isPublicSite ? { ...options, ...there } : options, ...rest);
};
const { fork } = childProcess;
childProcess.fork = (program, args, options) =>
  fork(program, args, {
    ...options,
    execArgv: [...(options.execArgv ?? []), `--import=${import.meta.url}`],
    env: { ...options.env, PUBLIC_SITE_PORT: process.env.PUBLIC_SITE_PORT },
  });
syncBuiltinESMExports();
