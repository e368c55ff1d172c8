/** When two errors are the same one: their texts without what differs from run to run and machine to machine. */

/** An error's message may carry a whole log; what tells it apart stands at its beginning. */
const MOST_CHARACTERS = 2_000;
/** Shorter ones ("error", "failed at") stand in any text. */
const LEAST_TO_CONTAIN = 12;

/** In this order: what is quoted may hold paths, a path may hold hex, and hex may begin with digits. */
const VARIABLE_PARTS: readonly (readonly [pattern: RegExp, instead: string])[] = [
  // Colours of a terminal.
  [/\p{Cc}\[[0-9;]{0,20}[a-z]/giu, ''],
  [
    /`[^`\n]{0,300}`|"[^"\n]{0,300}"|(?<![\p{L}\p{N}])'[^'\n]{0,300}'(?![\p{L}\p{N}])|[“„«「『][^”“»」』\n]{0,300}[”“»」』]/gu,
    ' ',
  ],
  [/\b[a-z][a-z0-9+.-]{1,10}:\/\/[^\s)\]}>,;]{1,500}/giu, ' '],
  [
    /(?:\b[a-z]:|~|\.{1,2})?(?:[\\/][\p{L}\p{N}_.@+-]{1,200}){1,60}[\\/]?|\b[\p{L}\p{N}_.@+-]{1,100}(?:[\\/][\p{L}\p{N}_.@+-]{1,200}){1,60}/giu,
    ' ',
  ],
  [
    /\b0x[0-9a-f]{1,64}\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b(?=[0-9a-f]{0,63}\d)[0-9a-f]{8,64}\b/giu,
    ' ',
  ],
  [/\p{N}{1,100}/gu, ' '],
  [/[^\p{L}\p{M}_]{1,100}/gu, ' '],
];

/**
 * An error's text without numbers, paths, addresses, hex and what is quoted: equal for two occurrences of one error.
 * Empty where nothing is left that would tell it apart.
 */
export const errorFingerprint = (text: string): string =>
  VARIABLE_PARTS.reduce(
    (left, [pattern, instead]) => left.replaceAll(pattern, instead),
    text.normalize('NFKC').slice(0, MOST_CHARACTERS).toLowerCase(),
  )
    .replaceAll(/ {2,}/g, ' ')
    .trim();

/** The fingerprints of a task that may quote errors: of each of its lines, and of all of it. */
export const fingerprintsOf = (task: string): string[] => {
  const all = [task, ...task.split('\n')].map(errorFingerprint);
  return [...new Set(all.filter((fingerprint) => fingerprint !== ''))];
};

/** Whether an error is one that a task tells of: the same, or, where it says enough, in the midst of other words. */
export const isSameError = (error: string, taskFingerprints: readonly string[]): boolean => {
  const fingerprint = errorFingerprint(error);
  if (fingerprint === '') return false;
  const isTelling = fingerprint.length >= LEAST_TO_CONTAIN;
  return taskFingerprints.some(
    (task) => task === fingerprint || (isTelling && ` ${task} `.includes(` ${fingerprint} `)),
  );
};
