import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EncoderCard, encoderIdOf } from './encoder-card.js';
import { ENCODER_CARDS } from './encoder-catalogue.js';
import { readFurtherEncoders } from './further-encoders.js';

const standard = ENCODER_CARDS['bge-small-en-v1.5'];
const further: EncoderCard = { ...standard, weightsSha256: 'f'.repeat(64) };
const name = encoderIdOf(further);

let path: string;
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'tempera-further-'));
});
afterEach(() => rm(path, { recursive: true }));

const put = async (folder: string, card?: unknown): Promise<void> => {
  await mkdir(join(path, folder));
  if (card !== undefined) await writeFile(join(path, folder, 'card.json'), JSON.stringify(card));
};

describe('encoders beside the standard ones', () => {
  it('are those of folders with a digest and a card; other folders are left alone', async () => {
    await put('bge-small-en-v1.5');
    await put('something-else');
    await put(name, further);
    await put(encoderIdOf(standard), standard);
    expect(await readFurtherEncoders(path)).toEqual([further]);
    expect(await readFurtherEncoders(join(path, 'nowhere'))).toEqual([]);
  });

  it('H1: of a size that no index of the column holds stop the start, naming both', async () => {
    await put(name, { ...further, dimensions: 768 });
    await expect(readFurtherEncoders(path)).rejects.toThrow(
      `${name} gives 768 numbers by its card, and the column of vectors is indexed by 384 or 512`,
    );
  });

  it('whose card is another one’s, is none or is not there stop the start', async () => {
    await put(name, standard);
    await expect(readFurtherEncoders(path)).rejects.toThrow(`${name} has the card of ${encoderIdOf(standard)}`);
    await put('bge-small-zh-v1.5@0', { name: 'x' });
    await rm(join(path, name), { recursive: true });
    await expect(readFurtherEncoders(path)).rejects.toThrow('has a card.json that is no card');
    await rm(join(path, 'bge-small-zh-v1.5@0'), { recursive: true });
    await put(name);
    await expect(readFurtherEncoders(path)).rejects.toThrow(`${name} has no card.json`);
  });
});
