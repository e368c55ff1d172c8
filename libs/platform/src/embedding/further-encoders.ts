import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@tempera/client-kit';
import { INDEXED_DIMENSIONS, isIndexedDimensions } from '../database/vector-index.js';
import { type EncoderCard, encoderIdOf, parseEncoderCard } from './encoder-card.js';
import { encoderNameOf, isStandard } from './encoder-catalogue.js';

/**
 * The cards of the encoders that stand beside the standard ones: each folder `name@digest` below the model folder has its
 * files and its own `card.json`. Read once, at start.
 * @throws AppError `invalid-input` for a card that is not of its folder, or whose vectors no index could hold
 */
export const readFurtherEncoders = async (path: string): Promise<EncoderCard[]> => {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  const folders = entries.map(({ name }) => name).filter((name) => encoderNameOf(name) !== null);
  const cards = await Promise.all(folders.sort().map((folder) => readCard(path, folder)));
  return cards.filter((card) => !isStandard(card));
};

const readCard = async (path: string, folder: string): Promise<EncoderCard> => {
  const file = join(path, folder, 'card.json');
  await access(file).catch((cause: unknown) => {
    throw refused(folder, 'has no card.json', cause);
  });
  const card = parsed(folder, await readFile(file, 'utf8'));
  const encoder = encoderIdOf(card);
  if (encoder !== folder) throw refused(folder, `has the card of ${encoder}`);
  if (!isIndexedDimensions(card.dimensions)) {
    const held = INDEXED_DIMENSIONS.join(' or ');
    throw refused(
      folder,
      `gives ${card.dimensions} numbers by its card, and the column of vectors is indexed by ${held}`,
    );
  }
  return card;
};

const parsed = (folder: string, json: string): EncoderCard => {
  try {
    return parseEncoderCard(JSON.parse(json));
  } catch (cause) {
    throw refused(folder, 'has a card.json that is no card', cause);
  }
};

const refused = (folder: string, what: string, cause?: unknown): AppError =>
  new AppError('invalid-input', 'encoder-card', `The encoder folder ${folder} ${what}.`, { cause });
