// Whether a Postgres is at an address, asked before anything is installed: a server answers a request for encryption with
// one byte before anybody logs in. Passwords and rights are the migration's to find out.
import { connect } from 'node:net';
import { join } from 'node:path';

const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);
// Yes, no, or an error: each is how Postgres (or a pooler) speaks.
const ANSWERS = new Set(['S', 'N', 'E']);

/** Where node-postgres would connect to: a socket's folder may be in `host=`, or percent-encoded in the address. */
export const addressOf = (url) => {
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname).replace(/^\[|\]$/g, '');
  const port = Number(url.searchParams.get('port') ?? (url.port || 5432));
  return host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host: host || 'localhost', port };
};

/**
 * @param {URL} url
 * @returns {Promise<string | undefined>} why there is no Postgres to talk to; undefined where there is one
 */
export const whyNoPostgres = (url, timeoutMs = 3_000) =>
  new Promise((resolve) => {
    const socket = connect(addressOf(url));
    const timer = setTimeout(() => answer(`no answer within ${timeoutMs / 1000} s`), timeoutMs);
    const answer = (why) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(why);
    };
    socket.once('connect', () => socket.write(SSL_REQUEST));
    socket.once('data', (bytes) =>
      answer(ANSWERS.has(String.fromCharCode(bytes[0])) ? undefined : 'what answers there is no Postgres'),
    );
    socket.once('close', () => answer('what answers there is no Postgres'));
    socket.once('error', (error) => answer(error.code ?? error.message));
  });
