// What a person can mend by changing a setting: shown as one clear text, without a stack.

/** An error whose text says what is wrong and which setting (an environment variable) mends it. */
export class SettingError extends Error {
  /**
   * @param {string} problem what is wrong, in one sentence
   * @param {string} setting the environment variable that mends it
   * @param {string} [advice] what to do with it
   */
  constructor(problem, setting, advice = `Set ${setting} to another value.`) {
    super(`${problem}\n  ${advice.includes(setting) ? advice : `${setting}: ${advice}`}`);
    this.name = 'SettingError';
    this.setting = setting;
  }
}

/** An error that no setting mends but a person can act on (something to install, for example). */
export class SetupError extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = 'SetupError';
  }
}

const FULL = /ENOSPC|EDQUOT|no space left on device|disk quota exceeded|not enough space on the disk/i;

/** No room where data, downloads or builds go. */
export class DiskFullError extends SetupError {
  /** @param {string} doing what failed for it, and where */
  constructor(doing, options) {
    super(
      `The disk is full: ${doing}.\n` +
        '  Free some space and start again, or set TEMPERA_DATA_DIR (database, logs), TEMPERA_CACHE_DIR (downloads) or\n' +
        '  TMPDIR to folders on a disk that has some. Nothing half-written is kept.',
      options,
    );
    this.name = 'DiskFullError';
  }
}

/** Whether a text (what a command printed) says that a disk is full. */
export const saysDiskFull = (text) => FULL.test(text);

/**
 * The error itself, or the one a person can act on where it says that a disk is full.
 * @param {unknown} error
 */
export const readable = (error) => {
  if (!(error instanceof Error) || error instanceof DiskFullError) return error;
  if (!saysDiskFull(`${error.code ?? ''} ${error.message}`)) return error;
  return new DiskFullError(error.path ? `${error.path} could not be written` : error.message, { cause: error });
};

/**
 * Rethrows what ends a search for something that works: after a full disk there is no next choice.
 * @param {unknown} error
 */
export const throwIfDiskFull = (error) => {
  const told = readable(error);
  if (told instanceof DiskFullError) throw told;
};

/** The text a person should see: no stack for what they can mend themselves. */
export const describeError = (error) => {
  const told = readable(error);
  if (told instanceof SettingError || told instanceof SetupError) return told.message;
  return told instanceof Error ? (told.stack ?? told.message) : String(told);
};
