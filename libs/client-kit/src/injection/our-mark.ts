/** Begins each line of ours outside an envelope, so that we know it again where a client gives it back. */
export const OUR_MARK = '[tempera memory]';
