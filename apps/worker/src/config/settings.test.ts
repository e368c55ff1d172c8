import { describe, expect, it } from 'vitest';
import { parseSettings } from './settings.js';

const complete = {
  DATABASE_WORKER_URL: 'postgresql://mem_worker:secret@127.0.0.1:5432/tempera',
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
};

describe('settings of the worker', () => {
  it('need a database and an engine, and have a default for the rest', () => {
    expect(parseSettings(complete)).toMatchObject({
      profile: 'local',
      temporalNamespace: 'default',
      taskQueue: 'tempera',
      logLevel: 'info',
    });
  });

  it('are refused with the name of everything that is missing or wrong', () => {
    expect(() => parseSettings({ TEMPORAL_ADDRESS: 'nowhere', LOG_LEVEL: 'loud' })).toThrow(
      /DATABASE_WORKER_URL is not set; TEMPORAL_ADDRESS is no host:port; LOG_LEVEL is none of/,
    );
  });

  it('never let production run on a database whose every login is a superuser', () => {
    const embedded = { ...complete, DATABASE_EMBEDDED: 'pglite' };
    expect(parseSettings(embedded).isDatabaseEmbedded).toBe(true);
    expect(() => parseSettings({ ...embedded, TEMPERA_PROFILE: 'production' })).toThrow('DATABASE_EMBEDDED');
  });

  it('are refused without repeating what they hold', () => {
    expect(() => parseSettings({ ...complete, DATABASE_WORKER_URL: 'mysql://root:hunter2@db' })).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('hunter2') }),
    );
  });
});
