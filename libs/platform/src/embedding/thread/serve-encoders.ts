import type { MessagePort } from 'node:worker_threads';
import type { EncoderCard } from '../encoder-card.js';
import { EncoderDesk } from '../encoder-desk.js';
import type { ReadingProgress } from '../encoder-host.js';
import type { LoadEncoder } from '../encoder.js';
import { type ThreadRequest, toSent } from './messages.js';

/** The inside of an encoder thread: answers what comes through the port with encoders of its own. */
export function serveEncoders(port: MessagePort, further: readonly EncoderCard[], load: LoadEncoder): void {
  const desk = new EncoderDesk({ load, further, now: () => performance.now() });
  port.on('message', (request: ThreadRequest) => {
    if (request.call === 'forget') return desk.forget(request.reading);
    answer(desk, request).then(
      (value) => port.postMessage({ id: request.id, value }, buffersOf(value)),
      (error: unknown) => port.postMessage({ id: request.id, error: toSent(error) }),
    );
  });

  async function answer(at: EncoderDesk, request: ThreadRequest): Promise<unknown> {
    switch (request.call) {
      case 'load':
        return at.load(request.encoder);
      case 'advance':
        return at.advance(request.reading, request.start);
      case 'forget':
        return at.forget(request.reading);
      case 'close':
        await at.close();
        port.close();
        return undefined;
    }
  }
}

/** Vectors change hands instead of being copied. */
function buffersOf(value: unknown): ArrayBuffer[] {
  const isProgress = (given: unknown): given is ReadingProgress =>
    typeof given === 'object' && given !== null && 'vectors' in given;
  return isProgress(value) ? value.vectors.map(({ buffer }) => buffer as ArrayBuffer) : [];
}
