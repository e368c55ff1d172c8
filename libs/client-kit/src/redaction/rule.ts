/** What a rule takes for no secret after all: examples, placeholders, words of a dictionary. */
export interface Allowlist {
  /** Whether all that is named must hold; otherwise any of it is enough. */
  readonly every?: boolean;
  /** Whether it speaks of files' paths, too. A text has none, so this part never holds. */
  readonly paths?: boolean;
  /** What the expressions look at; the secret, unless said. */
  readonly target?: string;
  readonly regexes?: readonly string[];
  /** Words of which none may be in a secret, in small letters. */
  readonly stopwords?: readonly string[];
}

/** How one kind of secret is recognised. */
export interface Rule {
  /** What an answer calls it, and what stands in its place. */
  readonly id: string;
  /** In RE2's syntax. */
  readonly regex: string;
  /** Small letters; the rule is tried only on a text that holds one of them. */
  readonly keywords: readonly string[];
  /** How many bits a character the secret must have more than. */
  readonly entropy?: number;
  /** Which group is the secret; the first one that matched something, unless said. */
  readonly secretGroup?: number;
  /** How many characters a match has at most; nothing where there is no bound. */
  readonly longest?: number;
  readonly allowlists?: readonly Allowlist[];
}

/** A stretch of a text that is a secret. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  readonly type: string;
}
