import { describe, expect, it } from 'vitest';
import { parseSettings } from './settings.js';

const complete = {
  DATABASE_WORKER_URL: 'postgresql://mem_worker:secret@127.0.0.1:5432/tempera',
  DATABASE_APP_URL: 'postgresql://mem_app:secret@127.0.0.1:5432/tempera',
  DATABASE_TEXT_URL: 'postgresql://mem_text:secret@127.0.0.1:5432/tempera',
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
};

describe('settings of the worker', () => {
  it('need a database and an engine, and have a default for the rest', () => {
    expect(parseSettings(complete)).toMatchObject({
      profile: 'local',
      temporal: { address: '127.0.0.1:7233', namespace: 'default', taskQueue: 'tempera' },
      logLevel: 'info',
    });
  });

  it('are refused with the name of everything that is missing or wrong', () => {
    expect(() => parseSettings({ TEMPORAL_ADDRESS: 'nowhere', LOG_LEVEL: 'loud' })).toThrow(
      /DATABASE_WORKER_URL is not set; DATABASE_APP_URL is not set; DATABASE_TEXT_URL is not set; TEMPORAL_ADDRESS is no host:port; LOG_LEVEL is none of/,
    );
  });

  it('never let production run on a database whose every login is a superuser', () => {
    const embedded = { ...complete, DATABASE_EMBEDDED: 'pglite' };
    expect(parseSettings(embedded).isDatabaseEmbedded).toBe(true);
    expect(() => parseSettings({ ...embedded, TEMPERA_PROFILE: 'production' })).toThrow('DATABASE_EMBEDDED');
  });

  it('reach an engine in the clear unless a certificate, a key or TEMPORAL_TLS says otherwise', () => {
    expect(parseSettings(complete).temporal).not.toHaveProperty('tls');
    expect(parseSettings({ ...complete, TEMPORAL_TLS: 'on' }).temporal.tls).toEqual({});
    expect(parseSettings({ ...complete, TEMPORAL_API_KEY_FILE: '/key' }).temporal).toMatchObject({
      tls: {},
      apiKeyFile: '/key',
    });
    const files = { TEMPORAL_TLS_CERT_FILE: '/c', TEMPORAL_TLS_KEY_FILE: '/k', TEMPORAL_TLS_CA_FILE: '/ca' };
    expect(parseSettings({ ...complete, ...files }).temporal.tls).toEqual({
      caFile: '/ca',
      client: { certFile: '/c', keyFile: '/k' },
    });
  });

  it.each([
    [{ TEMPORAL_TLS: 'true' }, 'TEMPORAL_TLS'],
    [{ TEMPORAL_TLS_CERT_FILE: '/c' }, 'TEMPORAL_TLS_KEY_FILE'],
    [{ TEMPORAL_TLS_KEY_FILE: '/k' }, 'TEMPORAL_TLS_CERT_FILE'],
    [{ TEMPORAL_TLS: 'off', TEMPORAL_API_KEY_FILE: '/key' }, 'TEMPORAL_TLS is off'],
    [{ TEMPORAL_TLS: 'off', TEMPORAL_TLS_SERVER_NAME: 'engine' }, 'TEMPORAL_TLS is off'],
  ])('are refused where the engine would be reached by half: %j', (change, name) => {
    expect(() => parseSettings({ ...complete, ...change })).toThrow(name);
  });

  it('are refused without repeating what they hold', () => {
    expect(() => parseSettings({ ...complete, DATABASE_WORKER_URL: 'mysql://root:hunter2@db' })).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('hunter2') }),
    );
  });
});
