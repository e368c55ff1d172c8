import { parentPort, workerData } from 'node:worker_threads';
import { transformersLoader } from '../transformers-encoder.js';
import { ThreadLatch } from './latch.js';
import type { ThreadSettings } from './messages.js';
import { serveEncoders } from './serve-encoders.js';

/** The program of an encoder thread; EncoderThread starts it. */
const { source, further, threads, latch: memory } = workerData as ThreadSettings;
const latch = new ThreadLatch(memory);

if (parentPort === null) throw new Error('This file is started as a thread.');
serveEncoders(
  parentPort,
  further,
  transformersLoader({
    source,
    ...(threads === undefined ? {} : { threads }),
    // In a thread this ends the thread.
    aroundNative: (work) => latch.native(work, () => process.exit(1)),
  }),
);
