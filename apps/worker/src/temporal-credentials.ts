import type { NativeConnectionOptions } from '@temporalio/worker';
import { AppError } from '@tempera/client-kit';
import { readPrivateFile } from '@tempera/platform';
import { readFileSync } from 'node:fs';
import type { TemporalSettings, TemporalTlsSettings } from './config/temporal-settings.js';

/** What the connection needs besides an address. */
export type TemporalCredentials = Pick<NativeConnectionOptions, 'apiKey' | 'tls'>;

/** A certificate is no secret: others may read it. */
const readCertificate = (path: string, setting: string): Buffer => {
  try {
    return readFileSync(path);
  } catch (cause) {
    const message = `The certificate ${path} cannot be read; check ${setting}.`;
    throw new AppError('invalid-input', 'temporal-certificate', message, { cause });
  }
};

const readSecret = (path: string, setting: string): string =>
  readPrivateFile({ path, what: `file of ${setting}`, code: 'temporal-secret', advice: `check ${setting}` });

const clientPairOf = ({ certFile, keyFile }: NonNullable<TemporalTlsSettings['client']>) => ({
  crt: readCertificate(certFile, 'TEMPORAL_TLS_CERT_FILE'),
  key: Buffer.from(readSecret(keyFile, 'TEMPORAL_TLS_KEY_FILE')),
});

const readApiKey = (path: string): string => {
  const key = readSecret(path, 'TEMPORAL_API_KEY_FILE').trim();
  // It becomes a header: a line break in it would fail later, in words that name no setting.
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new AppError('invalid-input', 'temporal-api-key', 'The file of TEMPORAL_API_KEY_FILE holds no API key.');
};

/**
 * Reads certificates and keys from their files.
 * @throws AppError `invalid-input` that names the setting, for a file that is missing or open to others
 */
export const readTemporalCredentials = ({ tls, apiKeyFile }: TemporalSettings): TemporalCredentials => ({
  ...(tls === undefined
    ? {}
    : {
        tls: {
          ...(tls.caFile === undefined
            ? {}
            : { serverRootCACertificate: readCertificate(tls.caFile, 'TEMPORAL_TLS_CA_FILE') }),
          ...(tls.serverName === undefined ? {} : { serverNameOverride: tls.serverName }),
          ...(tls.client === undefined ? {} : { clientCertPair: clientPairOf(tls.client) }),
        },
      }),
  ...(apiKeyFile === undefined ? {} : { apiKey: readApiKey(apiKeyFile) }),
});
