import { ACCESS_TOKEN_TYPE } from '@tempera/platform';

/** Longer than any token of ours by far; nothing larger is even decoded. */
const MAX_TOKEN_LENGTH = 4_096;
/** Members that bring a key, or a processing rule, along with the token: whoever forges one would bring his own. */
const FORBIDDEN_MEMBERS = ['crit', 'jwk', 'jku', 'x5u', 'x5c', 'x5t', 'x5t#S256', 'b64', 'enc', 'zip'];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parsePart = (part: string): Record<string, unknown> | null => {
  const text = Buffer.from(part, 'base64url').toString('utf8');
  try {
    const value: unknown = JSON.parse(text);
    // Written differently from how we write it: a repeated member, blanks, an escaped name.
    return isRecord(value) && JSON.stringify(value) === text ? value : null;
  } catch {
    return null;
  }
};

/** base64url has spare bits at its end; two texts must not pass for one token. */
const isCanonical = (part: string): boolean =>
  part.length > 0 && Buffer.from(part, 'base64url').toString('base64url') === part;

/**
 * What passport-jwt and jsonwebtoken leave open, before a signature is looked at (RFC 8725): exactly our algorithm, type
 * and form, a key id of ours, and no member that names another key.
 * @returns the key to verify with, or null for a token that is not ours
 */
export const keyForToken = (token: string, keys: ReadonlyMap<string, string>): string | null => {
  if (token.length > MAX_TOKEN_LENGTH) return null;
  const parts = token.split('.');
  const [head, body] = parts;
  if (parts.length !== 3 || head === undefined || body === undefined || !parts.every(isCanonical)) return null;
  const header = parsePart(head);
  if (header === null || parsePart(body) === null) return null;
  if (header['alg'] !== 'ES256' || header['typ'] !== ACCESS_TOKEN_TYPE) return null;
  if (FORBIDDEN_MEMBERS.some((name) => Object.hasOwn(header, name))) return null;
  const kid = header['kid'];
  return typeof kid === 'string' ? (keys.get(kid) ?? null) : null;
};

/** The audience that a token claims, unverified: good for choosing which check to make and for nothing else. */
export const claimedAudience = (token: string | null): unknown => {
  if (token === null || token.length > MAX_TOKEN_LENGTH) return undefined;
  return parsePart(token.split('.')[1] ?? '')?.['aud'];
};
