import { describe, expect, it } from 'vitest';
import { normaliseRemote, slugFromRemote } from './project-key.js';

describe('normaliseRemote', () => {
  it.each([
    'git@git.example.com:acme/web-shop.git',
    'ssh://git@git.example.com/acme/web-shop.git',
    'ssh://git@git.example.com:2222/acme/web-shop',
    'https://git.example.com/acme/web-shop',
    'https://git.example.com/acme/web-shop.git/',
    'https://git.example.com:8443/acme/web-shop.git',
    'https://ana:secret-token@git.example.com/acme/web-shop.git',
    'HTTPS://GIT.Example.COM/acme/web-shop.git',
    'git://git.example.com//acme//web-shop.git//',
    'git.example.com:acme/web-shop.git',
    'git@git.example.com:/acme/web-shop.git',
    ' https://git.example.com/acme/web-shop.git?x=1#frag\n',
  ])('C6: %j is one and the same remote', (url) => {
    expect(normaliseRemote(url)).toBe('git.example.com/acme/web-shop');
  });

  it('C6: equal folder names on different remotes stay apart', () => {
    expect(normaliseRemote('git@a.example.com:x/app.git')).not.toBe(normaliseRemote('git@b.example.com:x/app.git'));
    expect(normaliseRemote('git@a.example.com:x/app.git')).not.toBe(normaliseRemote('git@a.example.com:y/app.git'));
  });

  it('keeps the case of the path, on which hosts differ', () => {
    expect(normaliseRemote('git@h.example:Acme/Web.git')).toBe('h.example/Acme/Web');
  });

  it('never lets a credential into the key', () => {
    const key = normaliseRemote('https://x-access-token:ghp_abcdefghijklmnop@git.example.com/a/b.git');
    expect(key).toBe('git.example.com/a/b');
  });

  it.each([
    '',
    '   ',
    '/srv/repos/app.git',
    '../app',
    'C:\\repos\\app',
    'c:/repos/app',
    'file:///srv/app.git',
    'https://',
    'app',
  ])('%j is no network remote', (url) => {
    expect(normaliseRemote(url)).toBeNull();
  });

  it.each([
    'https://h.example/a/../../b',
    'git@h.example:../x',
    'git@h.example:a\u0000b',
    'git@h.example:',
    'https://h.example/.git',
  ])('%j names nothing that could be a project', (url) => {
    const key = normaliseRemote(url);
    expect(key === null || !key.includes('..')).toBe(true);
  });

  it('answers for any string, quickly', () => {
    expect(normaliseRemote('a'.repeat(1_000_000))).toBeNull();
    expect(normaliseRemote('git@h.example:%E0%A4%A')).toBe('h.example/%E0%A4%A');
  });
});

describe('slugFromRemote', () => {
  it.each([
    ['git@h.example:acme/Web_Shop.git', 'web-shop'],
    ['https://h.example/acme/café.API', 'cafe-api'],
    ['https://h.example/acme/--x1--', 'x1'],
    [`https://h.example/acme/${'a'.repeat(60)}`, 'a'.repeat(40)],
  ])('%j proposes %j', (url, slug) => {
    expect(slugFromRemote(url)).toBe(slug);
  });

  it.each(['/srv/app', 'https://h.example/acme/%E6%9E%B6', 'https://h.example/x/-'])('%j has no name to use', (url) => {
    expect(() => slugFromRemote(url)).toThrowError(expect.objectContaining({ kind: 'invalid-input' }));
  });
});
