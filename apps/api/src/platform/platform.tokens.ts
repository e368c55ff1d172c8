/** Injection tokens of what the outside gives the API; types are on the right of each use. */

/** `Doors` of @tempera/platform: the only ways to data. */
export const DOORS = Symbol('DOORS');
/** `EncoderPool` of @tempera/platform. */
export const ENCODERS = Symbol('ENCODERS');
/** {@link Clock}. */
export const CLOCK = Symbol('CLOCK');
/** `Settings` of config/settings. */
export const SETTINGS = Symbol('SETTINGS');
/** `Logger` of @tempera/platform (pino). */
export const LOGGER = Symbol('LOGGER');
/** `KeyRing` of @tempera/platform: signing keys and those that refresh tokens and cursors derive from; they change. */
export const KEYS = Symbol('KEYS');

/** The only source of the present, so that tests can hold it. */
export interface Clock {
  now(): Date;
}
