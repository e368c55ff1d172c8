import { describe, expect, it } from 'vitest';
import { parseSettings } from './settings.js';

const environment = {
  DATABASE_APP_URL: 'postgresql://mem_app:x@127.0.0.1/tempera',
  DATABASE_TEXT_URL: 'postgresql://mem_text:x@127.0.0.1/tempera',
  DATABASE_OPERATOR_URL: 'postgresql://mem_operator:x@/tempera?host=/run/socket',
  TOKEN_ISSUER: 'https://memory.test',
  TOKEN_AUDIENCE: 'https://memory.test/graphql',
  SIGNING_KEYS_FILE: '/keys.json',
};

describe('settings', () => {
  it('have defaults for everything but connections and tokens', () => {
    const settings = parseSettings(environment);
    expect(settings.port).toBe(4747);
    expect(settings.host).toBe('127.0.0.1');
    expect(settings.publicUrl).toBe('http://127.0.0.1:4747');
    expect(settings.profile).toBe('local');
    expect(settings.embeddingModelDir).toBeUndefined();
  });

  it.each(Object.keys(environment))('refuse a start without %s, and name it', (name) => {
    for (const value of [undefined, '', '  ']) {
      expect(() => parseSettings({ ...environment, [name]: value })).toThrow(name);
    }
  });

  it.each([
    ['API_PORT', '65536'],
    ['API_PORT', '-1'],
    ['API_PORT', '47.5'],
    ['PUBLIC_URL', 'memory'],
    ['LOG_LEVEL', 'loud'],
    ['TEMPERA_PROFILE', 'staging'],
    ['DATABASE_EMBEDDED', 'sqlite'],
    ['DATABASE_APP_URL', 'mysql://x'],
    ['OIDC_ISSUER', 'http://id.example.com'],
    ['OIDC_ISSUER', 'id.example.com'],
    ['OIDC_ISSUER', 'https://id.example.com'],
    ['OIDC_CLIENT_SECRET_FILE', '/secret'],
    ['TRUSTED_PROXIES', 'proxy.example.com'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10.0.0.0/8, *'],
    ['ATTEMPTS_PER_ADDRESS', '0'],
    ['DRAIN_NOTICE_SECONDS', '-1'],
    ['DRAIN_NOTICE_SECONDS', '21'],
    ['DRAIN_NOTICE_SECONDS', 'soon'],
  ])('refuse %s = %s, and name it', (name, value) => {
    expect(() => parseSettings({ ...environment, [name]: value })).toThrow(name);
  });

  it('trust no proxy unless it is named', () => {
    expect(parseSettings(environment).trustedProxies).toEqual([]);
    const named = { ...environment, TRUSTED_PROXIES: 'loopback, 10.0.0.0/8,2001:db8::/32 , 192.0.2.1' };
    expect(parseSettings(named).trustedProxies).toEqual(['loopback', '10.0.0.0/8', '2001:db8::/32', '192.0.2.1']);
  });

  it('give a balancer five seconds in production, none at home, and what is set anywhere', () => {
    const noticeOf = (change: Record<string, string>): number =>
      parseSettings({ ...environment, ...change }).drainNoticeMs;
    expect(noticeOf({})).toBe(0);
    expect(noticeOf({ TEMPERA_PROFILE: 'production', DRAIN_NOTICE_SECONDS: '' })).toBe(5_000);
    expect(noticeOf({ TEMPERA_PROFILE: 'production', DRAIN_NOTICE_SECONDS: '12' })).toBe(12_000);
    expect(noticeOf({ DRAIN_NOTICE_SECONDS: '1.5' })).toBe(1_500);
  });

  it('refuse the embedded database in production', () => {
    const change = { TEMPERA_PROFILE: 'production', DATABASE_EMBEDDED: 'pglite' };
    expect(() => parseSettings({ ...environment, ...change })).toThrow('DATABASE_EMBEDDED');
  });
});
