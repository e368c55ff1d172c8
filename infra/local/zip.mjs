// Reads zip files (a wheel and a jar are both one) with Node's own zlib, so that no `unzip` has to be there.
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { crc32, inflateRaw } from 'node:zlib';

const inflate = promisify(inflateRaw);

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
const ZIP64 = 0xffffffff;

// The end record is followed by a comment of up to 64 KiB, so it is looked for from the end.
const findEnd = (bytes) => {
  const lowest = Math.max(0, bytes.length - END_BYTES - 0xffff);
  for (let at = bytes.length - END_BYTES; at >= lowest; at -= 1) {
    if (bytes.readUInt32LE(at) === END_SIGNATURE) return at;
  }
  throw new Error('not a zip file: it has no central directory');
};

const readEntry = (bytes, at) => {
  if (bytes.readUInt32LE(at) !== ENTRY_SIGNATURE) throw new Error('a damaged zip file: bad central directory');
  const nameBytes = bytes.readUInt16LE(at + 28);
  const entry = {
    name: bytes.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes),
    method: bytes.readUInt16LE(at + 10),
    checksum: bytes.readUInt32LE(at + 16),
    packedBytes: bytes.readUInt32LE(at + 20),
    bytes: bytes.readUInt32LE(at + 24),
    mode: (bytes.readUInt32LE(at + 38) >>> 16) & 0o777,
    localAt: bytes.readUInt32LE(at + 42),
  };
  if (entry.packedBytes === ZIP64 || entry.localAt === ZIP64) throw new Error('zip files over 4 GB are not read');
  return { entry, next: at + ENTRY_BYTES + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32) };
};

const unpack = async (bytes, entry) => {
  const dataAt =
    entry.localAt + LOCAL_BYTES + bytes.readUInt16LE(entry.localAt + 26) + bytes.readUInt16LE(entry.localAt + 28);
  const packed = bytes.subarray(dataAt, dataAt + entry.packedBytes);
  if (entry.method !== STORED && entry.method !== DEFLATED) {
    throw new Error(`${entry.name} is packed with method ${entry.method}, which is not read`);
  }
  const content = entry.method === STORED ? packed : await inflate(packed, { maxOutputLength: entry.bytes || 1 });
  if (content.length !== entry.bytes || crc32(content) !== entry.checksum) {
    throw new Error(`${entry.name} is damaged: its checksum does not match`);
  }
  return content;
};

/**
 * The entries of a zip file: `name`, `bytes` (unpacked size), `mode` (permission bits, 0 if none were stored) and
 * `content()`, which unpacks and checks it.
 */
export const readZip = async (file) => {
  const bytes = await readFile(file);
  const end = findEnd(bytes);
  const count = bytes.readUInt16LE(end + 10);
  const entries = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < count; index += 1) {
    const { entry, next } = readEntry(bytes, at);
    entries.push({ name: entry.name, bytes: entry.bytes, mode: entry.mode, content: () => unpack(bytes, entry) });
    at = next;
  }
  return entries;
};
