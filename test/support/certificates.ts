import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** A certificate with its key, in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** An authority of a test, and what it signed. */
export interface Authority {
  readonly cert: string;
  /** A certificate for a name, as a server's or a client's. */
  readonly issue: (name: string) => Certificate;
}

// Just enough of X.509 in DER: Node makes keys and signatures, but no certificates, and openssl is not everywhere.
const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const octets = (content: Buffer): Buffer => der(0x04, content);

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
const COMMON_NAME = oid('550403');
const BASIC_CONSTRAINTS = oid('551d13');
const ALTERNATIVE_NAME = oid('551d11');
const TRUE = der(0x01, Buffer.from([0xff]));

const nameOf = (text: string): Buffer => sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(text)))));
const timeOf = (date: Date): Buffer =>
  der(0x17, Buffer.from(`${date.toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`));
const pem = (content: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${(content.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`;

interface Request {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly signer: KeyObject;
  readonly isAuthority: boolean;
}

const certificateOf = ({ subject, issuer, publicKey, signer, isAuthority }: Request): string => {
  const constraints = sequence(BASIC_CONSTRAINTS, TRUE, octets(isAuthority ? sequence(TRUE) : sequence()));
  const names = sequence(ALTERNATIVE_NAME, octets(sequence(der(0x82, Buffer.from(subject)))));
  const day = 86_400_000;
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([0x01]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    nameOf(issuer),
    sequence(timeOf(new Date(Date.now() - day)), timeOf(new Date(Date.now() + day))),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(constraints, names)),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, signer));
  return pem(sequence(body, ECDSA_WITH_SHA256, signature));
};

/** Makes an authority that lives for a day. */
export const newAuthority = (name: string): Authority => {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const shared = { issuer: name, signer: own.privateKey };
  return {
    cert: certificateOf({ ...shared, subject: name, publicKey: createPublicKey(own.privateKey), isAuthority: true }),
    issue: (subject) => {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      return {
        cert: certificateOf({ ...shared, subject, publicKey, isAuthority: false }),
        key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
      };
    },
  };
};
