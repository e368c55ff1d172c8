import { currentSigningKey, type KeySet, newKeySet, type SigningKey } from '@tempera/platform';
import { createHmac, createPrivateKey, createPublicKey, createSign, randomUUID, sign as signBytes } from 'node:crypto';

/** What a good token of the attacked session holds; every animal of the zoo differs from it in one thing. */
export interface GoodToken {
  readonly token: string;
  readonly issuer: string;
  readonly audience: string;
  readonly keys: KeySet;
  /** A second session's token, to swap parts with. */
  readonly otherToken: string;
  readonly refreshToken: string;
  readonly personalToken: string;
  readonly operatorToken: string;
  /** A session of another tenant. */
  readonly strangerToken: string;
}

type Claims = Record<string, unknown>;
type Header = Record<string, unknown>;

const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value), 'utf8').toString('base64url');

const es256 = (key: SigningKey, input: string): string =>
  signBytes('sha256', Buffer.from(input), {
    key: createPrivateKey({ key, format: 'jwk' }),
    dsaEncoding: 'ieee-p1363',
  }).toString('base64url');

/** Parts of a token as objects. */
export const decodeToken = (token: string): { header: Header; claims: Claims; signature: string } => {
  const [head = '', body = '', signature = ''] = token.split('.');
  const parse = (part: string): Record<string, unknown> =>
    JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Record<string, unknown>;
  return { header: parse(head), claims: parse(body), signature };
};

/** Signs as the service would, with its own current key: what is wrong is in header or claims alone. */
export const signedWith = (key: SigningKey, header: unknown, claims: unknown): string => {
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${es256(key, input)}`;
};

const without = (object: Record<string, unknown>, name: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));

const unsigned = ({ token }: GoodToken): Record<string, string> => {
  const { header, claims } = decodeToken(token);
  const none = (alg: string): string => `${encode({ ...header, alg })}.${encode(claims)}.`;
  const algorithms = ['none', 'None', 'nOnE', 'NONE', '', 'ES256 ', 'es256'];
  return Object.fromEntries(algorithms.map((alg) => [`alg ${JSON.stringify(alg)} unsigned`, none(alg)]));
};

const otherAlgorithms = ({ token, keys }: GoodToken): Record<string, string> => {
  const { header, claims } = decodeToken(token);
  const { kty, crv, x, y } = currentSigningKey(keys);
  const publicKey = createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' });
  const secrets = {
    PEM: publicKey.export({ type: 'spki', format: 'pem' }),
    DER: publicKey.export({ type: 'spki', format: 'der' }),
    JWK: JSON.stringify({ kty, crv, x, y }),
  };
  const hmac = (secret: string | Buffer): string => {
    const input = `${encode({ ...header, alg: 'HS256' })}.${encode(claims)}`;
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
  };
  const named = (alg: string): string => signedWith(currentSigningKey(keys), { ...header, alg }, claims);
  return {
    ...Object.fromEntries(
      Object.entries(secrets).map(([form, secret]) => [`HS256 with the public ${form}`, hmac(secret)]),
    ),
    ...Object.fromEntries(
      ['RS256', 'PS256', 'ES384', 'ES512', 'EdDSA', 'ES256K', 'HS256'].map((alg) => [`named ${alg}`, named(alg)]),
    ),
  };
};

const brokenForms = ({ token, otherToken }: GoodToken): Record<string, string> => {
  const [head = '', body = '', signature = ''] = token.split('.');
  const [, otherBody = '', otherSignature = ''] = otherToken.split('.');
  const derSignature = createSign('sha256')
    .update('x')
    .sign(createPrivateKey({ key: currentSigningKey(newKeySet()), format: 'jwk' }));
  return {
    'empty signature': `${head}.${body}.`,
    'truncated signature': `${head}.${body}.${signature.slice(0, -4)}`,
    'signature of zeros': `${head}.${body}.${Buffer.alloc(64).toString('base64url')}`,
    'signature of another token': `${head}.${body}.${otherSignature}`,
    'claims of another token': `${head}.${otherBody}.${signature}`,
    'signature in DER': `${head}.${body}.${derSignature.toString('base64url')}`,
    'two parts': `${head}.${body}`,
    'four parts': `${token}.${signature}`,
    'five parts, like an encrypted one': `${token}.${head}.${body}`,
    'one part': head,
    'three empty parts': '..',
    padding: `${head}.${body}.${signature}==`,
    'spare bits in the signature': `${head}.${body}.${withSpareBits(signature)}`,
    'standard base64': `${head}.${body}.${Buffer.from(signature, 'base64url').toString('base64')}`,
    'no JSON in the header': `${encode('not json')}.${body}.${signature}`,
    'an array as header': `${encode([1])}.${body}.${signature}`,
    'null as claims': `${head}.${encode('null')}.${signature}`,
    'a word': 'Bearer',
  };
};

/** The last character carries four bits that no decoder uses. */
const withSpareBits = (signature: string): string => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(signature.slice(-1));
  return signature.slice(0, -1) + alphabet.charAt(last ^ 1);
};

const headers = ({ token, keys }: GoodToken): Record<string, string> => {
  const { header, claims } = decodeToken(token);
  const key = currentSigningKey(keys);
  const mine = currentSigningKey(newKeySet());
  const { kty, crv, x, y } = mine;
  const jwk = { kty, crv, x, y };
  const signed = (changed: unknown): string => signedWith(key, changed, claims);
  const kids = ['../x', "' or 1=1", '', 'x'.repeat(1_000), '/dev/null', 'constructor', '__proto__'];
  return {
    'no kid': signed(without(header, 'kid')),
    'kid as a number': signed({ ...header, kid: 1 }),
    ...Object.fromEntries(kids.map((kid) => [`kid ${kid.slice(0, 12)}`, signed({ ...header, kid })])),
    'foreign key under a known kid': signedWith(mine, header, claims),
    'foreign key under its own kid': signedWith(mine, { ...header, kid: mine.kid }, claims),
    'key brought along (jwk)': signedWith(mine, { ...header, jwk }, claims),
    'own key named as jwk': signed({ ...header, jwk }),
    jku: signed({ ...header, jku: 'http://127.0.0.1:1/jwks.json' }),
    x5u: signed({ ...header, x5u: 'http://127.0.0.1:1/cert' }),
    x5c: signed({ ...header, x5c: ['MIIB'] }),
    crit: signed({ ...header, crit: ['exp'] }),
    'b64 false': signed({ ...header, b64: false, crit: ['b64'] }),
    zip: signed({ ...header, zip: 'DEF' }),
    'typ JWT (an id token)': signed({ ...header, typ: 'JWT' }),
    'no typ': signed(without(header, 'typ')),
    'typ in another case': signed({ ...header, typ: 'AT+JWT' }),
    'typ with its media type': signed({ ...header, typ: 'application/at+jwt' }),
    'blanks in the header': signed(JSON.stringify(header, null, 1)),
    'a repeated member in the header': signed(`{"alg":"none",${JSON.stringify(header).slice(1)}`),
  };
};

const CLAIM_CHANGES = (now: number): Readonly<Record<string, Claims>> => ({
  'exp as text': { exp: String(now + 600) },
  'exp 1e20': { exp: 1e20 },
  'exp null': { exp: null },
  'exp in the past': { iat: now - 700, exp: now - 100 },
  'exp negative': { exp: -1 },
  'exp a fraction': { exp: now + 0.5 },
  'exp an array': { exp: [now + 600] },
  'nbf in the future': { nbf: now + 600 },
  'nbf as text': { nbf: 'soon' },
  'iat in the future': { iat: now + 300, exp: now + 900 },
  'iat as text': { iat: String(now) },
  'iat null': { iat: null },
  'a life of ten years': { exp: now + 315_360_000 },
  'a life of sixteen minutes': { exp: now + 960 },
  'ends before it begins': { iat: now, exp: now - 10 },
  'aud empty list': { aud: [] },
  'aud null': { aud: null },
  'aud other': { aud: 'http://other.test/graphql' },
  'aud a list of others': { aud: ['http://other.test/graphql', 'undefined'] },
  'aud "undefined"': { aud: 'undefined' },
  'aud a prefix of ours': { aud: 'http://api.test' },
  'aud an object': { aud: {} },
  'iss other': { iss: 'http://evil.test' },
  'iss null': { iss: null },
  'iss a list with ours': { iss: ['http://api.test'] },
  'iss with a slash': { iss: 'http://api.test/' },
  'sub no UUID': { sub: 'admin' },
  'sub null': { sub: null },
  'sub another user': { sub: randomUUID() },
  'tid no UUID': { tid: "' or 1=1" },
  'tid another tenant': { tid: randomUUID() },
  'sid another session': { sid: randomUUID() },
  'sid no UUID': { sid: 'x' },
  'jti a number': { jti: 1 },
  'gen negative': { gen: -1 },
  'gen not issued yet': { gen: 99 },
  'gen as text': { gen: '0' },
});

const claims = ({ token, keys }: GoodToken): Record<string, string> => {
  const { header, claims: good } = decodeToken(token);
  const key = currentSigningKey(keys);
  const now = Math.floor(Date.now() / 1000);
  const changed = Object.entries(CLAIM_CHANGES(now)).map(([name, change]): [string, string] => [
    name,
    signedWith(key, header, { ...good, ...change }),
  ]);
  const missing = ['iss', 'aud', 'sub', 'tid', 'sid', 'jti', 'iat', 'exp', 'gen'].map((name): [string, string] => [
    `${name} missing`,
    signedWith(key, header, without(good, name)),
  ]);
  const repeated = `${JSON.stringify(good).slice(0, -1)},"sub":"${String(good['sub'])}"}`;
  return {
    ...Object.fromEntries([...changed, ...missing]),
    'a repeated claim': signedWith(key, header, repeated),
    'NaN as exp': signedWith(key, header, JSON.stringify(good).replace(/"exp":\d+/, '"exp":NaN')),
  };
};

/** Every kind of wrong claim in a token that is signed as it should be, by name. */
export const claimZoo = (good: GoodToken): ReadonlyMap<string, string> => new Map(Object.entries(claims(good)));

/** Every kind of text that is no token of ours, or one for something else, by name. */
export const tokenZoo = (good: GoodToken): ReadonlyMap<string, string> =>
  new Map(
    Object.entries({
      ...unsigned(good),
      ...otherAlgorithms(good),
      ...brokenForms(good),
      ...headers(good),
      'a refresh token': good.refreshToken,
      'a personal access token': good.personalToken,
      "an operator's token": good.operatorToken,
    }),
  );
