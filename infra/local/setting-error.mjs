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

/** The text a person should see: no stack for what they can mend themselves. */
export const describeError = (error) =>
  error instanceof SettingError || error instanceof SetupError
    ? error.message
    : error instanceof Error
      ? (error.stack ?? error.message)
      : String(error);
