// What has been started, ended in the reverse order: the programs before what they stand on.
import { SetupError } from './setting-error.mjs';
import { beginShutdown } from './shutdown.mjs';

const SAME_PRESS_MS = 500;

/**
 * @param {{progress: object, order: string[]}} options `order` of stopping, by the names given to `add`
 */
export const createStack = ({ progress, order }) => {
  const parts = new Map();
  let stopping;
  let fail = () => {};
  const failed = new Promise((_, reject) => (fail = reject));
  // Awaited by untilFailure; a part may end before anybody waits.
  failed.catch(() => {});

  const watch = (name, child) =>
    void child.exited.then(({ code, signal }) => {
      if (stopping) return;
      const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
      fail(new SetupError(`${name} ${how}; the end of ${child.logFile}:\n${child.lastWords()}`));
    });

  const stopAll = async () => {
    // What is still being fetched or started gives up, so that nobody waits for a download to be over.
    beginShutdown();
    for (const name of order) {
      const part = await parts.get(name)?.catch(() => undefined);
      if (!part) continue;
      await part.stop();
      progress.say(`  stopped ${name}`);
    }
  };

  return {
    /** Registers a part while it starts, so that an interrupted start stops it too. */
    add: async (name, starting) => {
      parts.set(name, starting);
      const part = await starting;
      const child = part.child ?? (part.exited ? part : undefined);
      if (child) watch(name, child);
      return part;
    },
    /** What `work` comes to, unless a started part ends before: then that one's error, with its last words. */
    unlessFailed: (work) => Promise.race([work, failed]),
    /** Settles only when `work` or a started part fails. */
    untilFailure: async (work) => {
      await Promise.race([work, failed]);
      await failed;
    },
    stop: () => (stopping ??= stopAll()),
    isStopping: () => stopping !== undefined,
    /** Ctrl-C once stops in order; twice leaves at once, and the keepers end what is left. */
    onSignal: (leave) => {
      let since;
      const onSignal = () => {
        // npm passes on the signal that the terminal has already sent: the same press arrives twice.
        if (since !== undefined && performance.now() - since > SAME_PRESS_MS) process.exit(130);
        if (since !== undefined) return;
        since = performance.now();
        progress.say('\nstopping …');
        void leave(0);
      };
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal);
    },
  };
};
