import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { skipBecause } from './skips.ts';

/** Debian keeps it where only the paths of administrators lead. */
const program = ['nginx', '/usr/sbin/nginx'].find((name) => spawnSync(name, ['-v']).error === undefined);

/** Whether there is an nginx; says what is skipped where there is none. */
export function hasNginx(): boolean {
  if (program === undefined) skipBecause('there is no nginx', 'Install it: apt-get install nginx-light.');
  return program !== undefined;
}

export interface RunningNginx {
  stop(): Promise<void>;
}

export interface NginxOptions {
  /** For everything it writes. */
  readonly folder: string;
  /** A block `server`. */
  readonly server: string;
  readonly port: number;
}

/** A real nginx on this machine, in a folder of its own. */
export async function startNginx({ folder, server, port }: NginxOptions): Promise<RunningNginx> {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const config = join(folder, 'nginx.conf');
  writeFileSync(
    config,
    `daemon off;
pid ${join(folder, 'nginx.pid')};
${process.getuid?.() === 0 ? `user ${userInfo().username};` : ''}
worker_processes 1;
events { worker_connections 64; }
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${join(folder, name)};`).join('\n  ')}
  ${server}
}
`,
  );
  const child = spawn(program!, ['-p', folder, '-c', config, '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  while (!(await isListening(port))) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`nginx ended with ${child.exitCode}: ${said}`);
    await wait(20);
  }
  return {
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      done(true);
    });
    socket.on('error', () => done(false));
  });
}

export interface Certificate {
  readonly path: string;
  readonly keyPath: string;
  readonly text: string;
}

/** A certificate for a name, signed by itself. */
export function makeCertificate(folder: string, name: string): Certificate {
  const [path, keyPath] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyPath];
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
  execFileSync('openssl', ['req', '-x509', ...key, '-out', path, '-days', '2', ...subject], {
    stdio: 'ignore',
  });
  return { path, keyPath, text: readFileSync(path, 'utf8') };
}
