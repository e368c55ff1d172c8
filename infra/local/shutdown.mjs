// One switch for "this process is leaving": commands that run are ended, waiting ends, nothing new begins.
const controller = new AbortController();

/**
 * Aborted once the process is leaving.
 * @type {AbortSignal}
 */
export const shutdown = controller.signal;

export const beginShutdown = () => controller.abort();

// However it leaves: a command of ours never goes on without us.
process.once('exit', beginShutdown);
