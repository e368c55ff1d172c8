/**
 * What a tenant, and a project within it, may set (docs/design.md, "Configuration"). The table is data: the API
 * describes, checks and audits from it, and nothing else knows a default or a range.
 */
import type { ScoreSettings } from './ranking.js';

interface NumberSetting {
  readonly kind: 'number' | 'integer';
  /** Null where the encoder's card (or, for erasing, "never") decides until somebody sets it. */
  readonly default: number | null;
  readonly min: number;
  readonly max: number;
  readonly summary: string;
}

interface ChoiceSetting {
  readonly kind: 'choice';
  readonly default: string;
  readonly choices: readonly string[];
  readonly summary: string;
}

export type SettingSpec = NumberSetting | ChoiceSetting;

const share = <const Default extends number | null>(value: Default, summary: string) =>
  ({ kind: 'number', default: value, min: 0, max: 1, summary }) as const;

const number = <const Default extends number | null>(value: Default, min: number, max: number, summary: string) =>
  ({ kind: 'number', default: value, min, max, summary }) as const;

const integer = <const Default extends number | null>(value: Default, min: number, max: number, summary: string) =>
  ({ kind: 'integer', default: value, min, max, summary }) as const;

/** Every key with its default, range and meaning; the seed's names. */
export const SETTINGS = {
  'retrieval.similarity_weight': share(0.3, 'weight of relevance; narrows what utility and recency may move'),
  'retrieval.utility_weight': share(0.7, 'weight of proved usefulness'),
  'retrieval.recency_weight': share(0, 'weight of newness'),
  'retrieval.ranking': {
    kind: 'choice',
    default: 'bounded',
    choices: ['bounded', 'linear'],
    summary: 'bounded: relevance leads; linear: the weighted mean of all three',
  },
  'retrieval.max_boost': share(0.1, 'the most that utility and recency may move a score, as a share of it'),
  'retrieval.context_boost': number(4, 0, 10, 'how much votes for like questions move a score'),
  'retrieval.context_cap': number(1, 0, 10, 'the most one person weighs among votes for like questions'),
  'retrieval.context_nu': share(0.5, 'how much an unhelpful vote for a like question counts against a helpful one'),
  'retrieval.context_lambda': number(3, 0.1, 100, 'how many votes for like questions are half believed'),
  'retrieval.recency_halflife_days': number(30, 0.1, 3650, 'days until newness has halved'),
  'retrieval.mmr_lambda': share(1, 'relevance against variety; 1 orders by score alone'),
  'retrieval.min_similarity': share(null, 'least relevance of a hit; unset: the card of the encoder'),
  'retrieval.max_recall_items': integer(5, 1, 50, 'hits of an answer when the caller names no limit'),
  'bellman.gamma': share(0.9, 'what is left of a loan or credit after one hop'),
  'bellman.alpha': share(0.1, 'how far a loan moves in one night'),
  'bellman.decay_rate': number(0.01, 0, 0.5, 'share of its value a memory of validity none loses in an unused day'),
  'bellman.propagation_threshold': share(0.5, 'evidence above which a memory lends'),
  'bellman.max_propagation_depth': integer(2, 0, 10, 'hops a loan travels'),
  'bellman.temporal_credit_window_hours': number(1, 0, 168, 'how long before a success an episode may share in it'),
  'storage.max_age_days': integer(180, 1, 36_500, 'age above which an unused memory is archived'),
  'storage.min_utility_threshold': share(0.05, 'utility under which an unused memory is archived'),
  'storage.min_retrievals': integer(2, 0, 1000, 'asked retrievals that keep a memory and let it lend'),
  'storage.consolidation_threshold': share(null, 'cosine to merge at capture; unset: the card of the encoder'),
  'storage.cluster_threshold': share(null, 'cosine of a cluster in review; unset: the card of the encoder'),
  'storage.stale_age_days': integer(30, 1, 36_500, 'days unused after which review calls a memory stale'),
  'storage.stale_utility_threshold': share(0.2, 'utility under which review calls it stale'),
  'storage.erase_archived_days': integer(null, 1, 36_500, 'days until an archived memory is erased; unset: never'),
  'storage.distil_quiet_minutes': integer(
    10,
    0,
    1_440,
    'minutes without a turn after which a conversation is distilled',
  ),
  'storage.turn_keep_days': integer(30, 1, 365, 'days that what a person and their client said is kept'),
  'storage.capture_scope': {
    kind: 'choice',
    default: 'private',
    choices: ['private', 'project'],
    summary: 'where a fact goes that was drawn from turns about a project; preferences stay private',
  },
} as const satisfies Record<string, SettingSpec>;

export type SettingKey = keyof typeof SETTINGS;

/** What a night does for a whole tenant in one step, and what it reads, a project cannot set for itself. */
const TENANT_WIDE: ReadonlySet<string> = new Set<SettingKey>([
  'bellman.gamma',
  'bellman.alpha',
  'bellman.decay_rate',
  'bellman.propagation_threshold',
  'bellman.max_propagation_depth',
  'bellman.temporal_credit_window_hours',
  'storage.min_retrievals',
  'storage.turn_keep_days',
  'storage.distil_quiet_minutes',
]);

/** Whether a project may set a key for itself. */
export const settingScope = (key: SettingKey): 'tenant' | 'project' => (TENANT_WIDE.has(key) ? 'tenant' : 'project');

/** What a key's numbers count; null for shares and weights. */
export const settingUnit = (key: SettingKey): string | null => {
  if (key.endsWith('_days')) return 'days';
  if (key.endsWith('_hours')) return 'hours';
  if (key === 'retrieval.max_recall_items') return 'memories';
  if (key === 'storage.min_retrievals') return 'retrievals';
  return key === 'bellman.max_propagation_depth' ? 'hops' : null;
};

/** The key that a mistyped one was most likely meant to be; null when none is near. */
export const nearestSettingKey = (typed: string): SettingKey | null => {
  if (typed.length > 100) return null;
  const keys = Object.keys(SETTINGS).filter(isSettingKey);
  const near = keys
    .map((key) => ({ key, distance: Math.min(editDistance(typed, key), editDistance(typed, key.split('.')[1] ?? '')) }))
    .sort((one, other) => one.distance - other.distance)[0];
  return near !== undefined && near.distance <= Math.max(2, typed.length / 3) ? near.key : null;
};

/** Levenshtein's. */
const editDistance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [i, character] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, expected] of [...other].entries()) {
      const [above = 0, before = 0, left = 0] = [row[j + 1], row[j], next[j]];
      next.push(Math.min(above + 1, left + 1, before + (character === expected ? 0 : 1)));
    }
    row = next;
  }
  return row[other.length] ?? 0;
};

/** What is stored, as overrides: a key or value that this version does not know is as if it were not there. */
export const toOverrides = (stored: Readonly<Record<string, unknown>>): SettingOverrides =>
  Object.fromEntries(
    Object.entries(stored).filter(([key, value]) => isSettingKey(key) && settingProblem(key, value) === null),
  );

/** The type of a key's value: a number, a number or null for unset, or one of its choices. */
export type SettingValue<Key extends SettingKey> = (typeof SETTINGS)[Key] extends { choices: readonly (infer Choice)[] }
  ? Choice
  : (typeof SETTINGS)[Key]['default'] extends null
    ? number | null
    : number;

/** One layer of values over the defaults: a tenant's, or a project's. Keys left out fall through. */
export type SettingOverrides = { readonly [Key in SettingKey]?: SettingValue<Key> };

/** All settings in force for one project, thresholds left unset being null. */
export interface Settings {
  readonly retrieval: ScoreSettings & {
    readonly contextCap: number;
    readonly contextNu: number;
    readonly contextLambda: number;
    readonly mmrLambda: number;
    readonly minSimilarity: number | null;
    readonly maxRecallItems: number;
  };
  readonly bellman: {
    readonly gamma: number;
    readonly alpha: number;
    readonly decayRate: number;
    readonly propagationThreshold: number;
    readonly maxPropagationDepth: number;
    readonly temporalCreditWindowHours: number;
  };
  readonly storage: {
    readonly maxAgeDays: number;
    readonly minUtilityThreshold: number;
    readonly minRetrievals: number;
    readonly consolidationThreshold: number | null;
    readonly clusterThreshold: number | null;
    readonly staleAgeDays: number;
    readonly staleUtilityThreshold: number;
    readonly eraseArchivedDays: number | null;
    readonly turnKeepDays: number;
    readonly distilQuietMinutes: number;
    readonly captureScope: 'private' | 'project';
  };
}

/** Whether a text names a setting. */
export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(SETTINGS, key);

/**
 * Why a value may not be set, as a sentence for whoever set it; null when it may. Null as a value unsets a key and is
 * always allowed.
 */
export const settingProblem = (key: SettingKey, value: unknown): string | null => {
  if (value === null) return null;
  const spec: SettingSpec = SETTINGS[key];
  if (spec.kind === 'choice') {
    const known = spec.choices.some((choice) => choice === value);
    return known ? null : `${key} must be one of: ${spec.choices.join(', ')}.`;
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) return `${key} must be a number.`;
  if (spec.kind === 'integer' && !Number.isInteger(value)) return `${key} must be a whole number.`;
  return value >= spec.min && value <= spec.max ? null : `${key} must be between ${spec.min} and ${spec.max}.`;
};

type Reader = <Key extends SettingKey>(key: Key) => SettingValue<Key>;

/**
 * The settings in force: the narrowest layer that sets a key wins, then its default.
 * @param layers checked overrides, from the widest (the tenant's) to the narrowest (the project's)
 */
export const resolveSettings = (...layers: readonly SettingOverrides[]): Settings => {
  const narrowestFirst = [...layers].reverse();
  const read: Reader = (key) => {
    for (const layer of narrowestFirst) {
      const value = layer[key];
      if (value !== undefined && value !== null) return value;
    }
    return SETTINGS[key].default as SettingValue<typeof key>;
  };
  return { retrieval: readRetrieval(read), bellman: readBellman(read), storage: readStorage(read) };
};

const readRetrieval = (read: Reader): Settings['retrieval'] => ({
  similarityWeight: read('retrieval.similarity_weight'),
  utilityWeight: read('retrieval.utility_weight'),
  recencyWeight: read('retrieval.recency_weight'),
  ranking: read('retrieval.ranking'),
  maxBoost: read('retrieval.max_boost'),
  contextBoost: read('retrieval.context_boost'),
  contextCap: read('retrieval.context_cap'),
  contextNu: read('retrieval.context_nu'),
  contextLambda: read('retrieval.context_lambda'),
  recencyHalflifeDays: read('retrieval.recency_halflife_days'),
  mmrLambda: read('retrieval.mmr_lambda'),
  minSimilarity: read('retrieval.min_similarity'),
  maxRecallItems: read('retrieval.max_recall_items'),
});

const readBellman = (read: Reader): Settings['bellman'] => ({
  gamma: read('bellman.gamma'),
  alpha: read('bellman.alpha'),
  decayRate: read('bellman.decay_rate'),
  propagationThreshold: read('bellman.propagation_threshold'),
  maxPropagationDepth: read('bellman.max_propagation_depth'),
  temporalCreditWindowHours: read('bellman.temporal_credit_window_hours'),
});

const readStorage = (read: Reader): Settings['storage'] => ({
  maxAgeDays: read('storage.max_age_days'),
  minUtilityThreshold: read('storage.min_utility_threshold'),
  minRetrievals: read('storage.min_retrievals'),
  consolidationThreshold: read('storage.consolidation_threshold'),
  clusterThreshold: read('storage.cluster_threshold'),
  staleAgeDays: read('storage.stale_age_days'),
  staleUtilityThreshold: read('storage.stale_utility_threshold'),
  eraseArchivedDays: read('storage.erase_archived_days'),
  turnKeepDays: read('storage.turn_keep_days'),
  distilQuietMinutes: read('storage.distil_quiet_minutes'),
  captureScope: read('storage.capture_scope'),
});
