// The program of an encoder thread whose real encoders break at certain words.
import { setImmediate } from 'node:timers';
import { parentPort, workerData } from 'node:worker_threads';
import { serveEncoders } from '../../libs/platform/dist/embedding/thread/serve-encoders.js';
import { transformersLoader } from '../../libs/platform/dist/embedding/transformers-encoder.js';

const load = transformersLoader({ source: workerData.source, threads: workerData.threads });

const breaking = {
  CRASH: () => {
    setImmediate(() => {
      throw new Error('crashed as asked');
    });
    return new Promise(() => undefined);
  },
  STALL: () => {
    for (;;);
  },
};

serveEncoders(parentPort, workerData.further, async (card) => {
  const encoder = await load(card);
  return {
    id: encoder.id,
    card,
    countTokens: (text) => encoder.countTokens(text),
    embed: (text) => {
      const word = Object.keys(breaking).find((name) => text.includes(name));
      return word === undefined ? encoder.embed(text) : breaking[word]();
    },
    dispose: () => encoder.dispose(),
  };
});
