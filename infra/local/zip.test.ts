import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readZip } from './zip.mjs';

interface Packed {
  readonly name: string;
  readonly content: Buffer;
  readonly method?: number;
  readonly checksum?: number;
}

const STORED = 0;
const DEFLATED = 8;

function zipOf(files: readonly Packed[], comment = ''): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const { name, content, method = DEFLATED, checksum = crc32(content) } of files) {
    const data = method === STORED ? content : deflateRawSync(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(checksum, 16);
    entry.writeUInt32LE(data.length, 20);
    entry.writeUInt32LE(content.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE((0o100755 << 16) >>> 0, 38);
    entry.writeUInt32LE(at, 42);
    locals.push(local, Buffer.from(name), data);
    central.push(entry, Buffer.from(name));
    at += 30 + name.length + data.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(at, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...locals, ...central, end, Buffer.from(comment)]);
}

describe('reading a zip file', () => {
  let folder: string;
  const text = Buffer.from('the same line again\n'.repeat(500));

  const read = async (bytes: Buffer): ReturnType<typeof readZip> => {
    const file = join(folder, 'it.zip');
    await writeFile(file, bytes);
    return readZip(file);
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zip-test-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('gives back packed and stored entries with their names and permission bits', async () => {
    const entries = await read(
      zipOf([
        { name: 'bin/program', content: text },
        { name: 'plain.txt', content: Buffer.from('as it is'), method: STORED },
      ]),
    );
    expect(entries.map(({ name, bytes, mode }) => [name, bytes, mode])).toEqual([
      ['bin/program', text.length, 0o755],
      ['plain.txt', 8, 0o755],
    ]);
    expect(await entries[0]?.content()).toEqual(text);
    expect((await entries[1]?.content())?.toString()).toBe('as it is');
  });

  it('finds the directory in front of a comment', async () => {
    const entries = await read(zipOf([{ name: 'a', content: text }], 'a comment, up to 64 KiB of it'));
    expect(await entries[0]?.content()).toEqual(text);
  });

  it('refuses an entry whose checksum does not match', async () => {
    const [entry] = await read(zipOf([{ name: 'a', content: text, checksum: 1 }]));
    await expect(entry?.content()).rejects.toThrow('a is damaged');
  });

  it('refuses what is no zip file, and one that was cut off', async () => {
    await expect(read(Buffer.from('<html>not found</html>'.repeat(10)))).rejects.toThrow('not a zip file');
    const whole = zipOf([{ name: 'a', content: text }]);
    await expect(read(whole.subarray(0, whole.length - 30))).rejects.toThrow('not a zip file');
  });

  it('never unpacks more than the directory announced', async () => {
    const bomb = zipOf([{ name: 'a', content: text }]);
    bomb.writeUInt32LE(10, bomb.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02])) + 24);
    const [entry] = await read(bomb);
    await expect(entry?.content()).rejects.toThrow();
  });
});
