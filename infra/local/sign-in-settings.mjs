// Settings of the API about addresses and sign-in, looked at before anything is started. As the API takes them; a test
// compares the two.
import { accessSync, constants, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { SettingError } from './setting-error.mjs';

const RANGES = new Set(['loopback', 'linklocal', 'uniquelocal']);
const BITS = { 4: 32, 6: 128 };
const MAX_LABEL = 60;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

const isNetwork = (text) => {
  if (RANGES.has(text)) return true;
  const [address, length, ...rest] = text.split('/');
  const bits = BITS[isIP(address)];
  if (rest.length > 0 || !bits) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits);
};

export const checkProxies = ({ TRUSTED_PROXIES: text = '' }) => {
  const parts = text.split(',').map((part) => part.trim());
  const wrong = parts.find((part) => part !== '' && !isNetwork(part));
  if (wrong === undefined) return;
  throw new SettingError(
    `"${wrong}" is no address or network of a proxy.`,
    'TRUSTED_PROXIES',
    'it lists addresses, networks or loopback, with commas: 10.0.0.0/8, loopback.',
  );
};

// Tokens and codes travel to the provider: in the clear only within this machine.
const isSafe = (text) => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, search, hash } = new URL(text);
  const isPlain = username === '' && search === '' && hash === '';
  return isPlain && (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname)));
};

// As readPrivateFile has it: the reader's alone, or root's and mounted for the reader's group.
const isForUsAlone = ({ mode, uid }) =>
  (mode & 0o077) === 0 || (uid === 0 && process.geteuid?.() > 0 && (mode & 0o037) === 0);

const whyNoSecret = (file) => {
  try {
    accessSync(file, constants.R_OK);
    const status = statSync(file);
    if (!status.isFile()) return 'is no file';
    return isForUsAlone(status) ? undefined : 'can be read by others: run chmod 600 on it';
  } catch ({ code }) {
    return `cannot be read (${code})`;
  }
};

export const checkOidc = (env) => {
  const [issuer, client, file, label] = ['ISSUER', 'CLIENT_ID', 'CLIENT_SECRET_FILE', 'LABEL'].map((name) =>
    (env[`OIDC_${name}`] ?? '').trim(),
  );
  const refuse = (setting, problem, advice) => {
    throw new SettingError(problem, setting, advice);
  };
  if (issuer !== '' && !isSafe(issuer))
    refuse('OIDC_ISSUER', `"${issuer}" is no https address of a provider.`, 'it reads like https://id.example.com.');
  if ((issuer === '') !== (client === ''))
    refuse(
      'OIDC_ISSUER',
      'A provider needs a client, and a client a provider.',
      'it and OIDC_CLIENT_ID are set together.',
    );
  if (label.length > MAX_LABEL)
    refuse('OIDC_LABEL', 'What the button says is too long.', `it has at most ${MAX_LABEL} characters.`);
  if (file === '') return;
  if (issuer === '') refuse('OIDC_CLIENT_SECRET_FILE', 'A secret is of no use without OIDC_ISSUER.');
  const why = whyNoSecret(file);
  if (why)
    refuse('OIDC_CLIENT_SECRET_FILE', `${file} ${why}.`, 'it names a file of mode 0600 with the client’s secret.');
};
