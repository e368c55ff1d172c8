import type { Rule } from './rule.js';

/*
 * What gitleaks has no rule for, as it reads whole files of code: in what people and agents write, an address with its
 * password, a header and the first half of a key are as common.
 */

/** What stands for a password in an address: `${DB_PASSWORD}`, `<password>`, `***`, `%s`. */
const STANDS_FOR_ONE = String.raw`^(?:\$\{?\w*\}?|[<{\[(].*|\*+|x+|\.+|%\w|:\w+)$`;

/** Our own kinds of secret beside gitleaks'. */
export const OWN_RULES: readonly Rule[] = [
  {
    id: 'tempera-token',
    regex: String.raw`\btmem_(?:pat|rt|inv|login|op|dev|web)_[\w-]{20,100}`,
    keywords: ['tmem_'],
    longest: 120,
  },
  {
    id: 'url-password',
    regex: String.raw`(?i)\b[a-z][a-z0-9+.-]{1,30}://[^\s/?#:@"'<>\x60]{0,100}:([^\s/@"'<>\x60]{1,200})@[\w.\[-]`,
    keywords: ['://'],
    longest: 340,
    allowlists: [{ regexes: [STANDS_FOR_ONE] }],
  },
  {
    id: 'authorization-header',
    regex: String.raw`(?i)\bauthorization["']?[ \t]{0,3}[:=][ \t]{0,3}["']?(?:bearer|basic|token)[ \t]{1,3}([\w~+/.=-]{16,1000})`,
    keywords: ['authorization'],
    entropy: 3,
    longest: 1030,
  },
  {
    id: 'aws-secret-key',
    regex: String.raw`(?i)\baws[\w.-]{0,20}secret[\w.-]{0,20}["']?[ \t]{0,3}(?:=>|=|:)[ \t]{0,3}["']?([a-z0-9/+]{40})(?:[^a-z0-9/+]|$)`,
    keywords: ['aws'],
    entropy: 3.5,
    longest: 110,
  },
  {
    id: 'private-key-cut',
    regex: String.raw`-----BEGIN[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----((?:\s|\\[nr]){0,20}[A-Za-z0-9+/=\s\\]{40,})`,
    keywords: ['private key'],
  },
];
