/**
 * An independent reading of docs/design.md: what the rules give for the golden cases of whole decisions, worked out from
 * the formulas as they are written there, without a line of `libs/core`.
 *
 * `node test/golden/reference.mjs FILE` prints a list with `{index, function, expected}` for each case it knows.
 */
import { readFileSync } from 'node:fs';

const HOUR = 3_600_000;
const clip = (x, low, high) => (x < low ? low : x > high ? high : x);

/** "Relevance": logistic(a + b·cosine + c·keyword); without a vector the median cosine of unrelated texts. */
function fuse({ cosine, keyword, calibration: { intercept: a, cosine: b, keyword: c, unrelatedCosine } }) {
  const x = a + b * (cosine === null ? unrelatedCosine : cosine) + c * keyword;
  const power = Math.exp(-Math.abs(x));
  return x < 0 ? power / (1 + power) : 1 / (1 + power);
}

/** "Score" and its last paragraph on trust; `linear` is the weighted mean. */
function fullScore(given) {
  const { similarityWeight: ws, utilityWeight: wu, recencyWeight: wr, ...settings } = given.settings;
  const recency = Math.exp((-Math.log(2) * Math.max(given.ageDays, 0)) / settings.recencyHalflifeDays);
  const vouched = { untested: 0.9, tests_pass: 0.95, merged: 0.97, stable: 0.99, across_projects: 1 };
  const trustIf = (helped) => (helped || given.isOwn ? 1 : vouched[given.verification]);
  const contextFactor = Math.max(1 + settings.contextBoost * clip(given.net, -1, 1), 0);
  const factorIf = (g) => {
    if (wu + wr === 0) return 1;
    const B = (settings.maxBoost * (wu + wr)) / (ws + wu + wr);
    return 1 + (B * (wu * clip(g, -1, 1) + wr * (2 * recency - 1))) / (wu + wr);
  };
  const mean = (utility) =>
    ws + wu + wr === 0 ? given.relevance : (ws * given.relevance + wu * utility + wr * recency) / (ws + wu + wr);
  const isLinear = settings.ranking === 'linear';
  const trust = trustIf(given.helpedOthers);
  const boundedFactor = factorIf(given.rankingInput);
  return {
    score: isLinear ? mean(given.utility) : given.relevance * trust * contextFactor * boundedFactor,
    trust,
    contextFactor,
    boundedFactor,
    recency,
    scoreWithoutLearning: isLinear ? mean(0.5) : given.relevance * trustIf(false) * factorIf(0),
  };
}

/** "Credit": the k-th latest of those that led to it, k = 1 to 4, gets alpha·gamma·(1 - k/5). */
function creditRanks({ success, episodes, windowHours, alpha, gamma }) {
  const [begin, end] = [Date.parse(success.startedAt), Date.parse(success.endedAt)];
  const latest = new Map();
  for (const { id, session, endedAt } of episodes) {
    const ended = Date.parse(endedAt);
    const isEarlier = id !== success.id && ended < end;
    const isOfSession = session !== null && session === success.session;
    const isInWindow = ended <= begin && begin - ended <= windowHours * HOUR;
    if (isEarlier && (isOfSession || isInWindow)) latest.set(id, ended);
  }
  const given = [];
  for (let k = 1; k <= 4 && latest.size > 0; k += 1) {
    const newest = Math.max(...latest.values());
    const id = [...latest.keys()].filter((one) => latest.get(one) === newest).sort()[0];
    latest.delete(id);
    given.push({ id, rank: k, amount: alpha * gamma - (alpha * gamma * k) / 5 });
  }
  return given;
}

/** What the conflict guard names, read off a text in the plainest way; enough for the golden texts. */
const NEGATIONS = /(?:\b(?:not|no|never|without|cannot|nicht|kein)\b|n't|不|没|未|勿|别)/gi;
const COMMANDS = /`[^`]+`/g;
const PATHS = /[\w.-]*\/[\w./-]+/g;
const VERSIONS = /\bv?\d+(?:\.\d+)+\b/g;
const QUANTITIES = /\d[\d,]*(?:\.\d+)?\s*(?:[a-z%]+|秒|分钟|天)?/g;
const NAMES = /(?<![.!?]\s|^)\b[A-Z][A-Za-z]+\b/g;
const BASE_WORDS = /[\p{L}\p{N}]+/gu;

/** "Conflict guard": same author, audience and kind, above the threshold in every part, nothing that differs in substance. */
function mayMerge({ stored, captured, nearness }) {
  const sides = ['author', 'scope', 'project', 'group', 'kind'];
  if (sides.some((side) => stored[side] !== captured[side])) return false;
  if (nearness.length === 0 || nearness.some(({ worst, threshold }) => worst < threshold)) return false;
  const marks = (text, pattern, fold) => (text.match(pattern) ?? []).map((mark) => (fold ? mark.toLowerCase() : mark));
  const equal = (pattern, fold) =>
    marks(stored.text, pattern, fold).join('|') === marks(captured.text, pattern, fold).join('|');
  const isMarkedAlike =
    equal(NEGATIONS, true) && equal(COMMANDS) && equal(PATHS) && equal(VERSIONS) && equal(NAMES) && equal(QUANTITIES);
  // Who does what to whom: where the words are the same ones, so is their order.
  const words = (text) => marks(text, BASE_WORDS, true);
  const [a, b] = [words(stored.text), words(captured.text)];
  const isSameBag = [...a].sort().join(' ') === [...b].sort().join(' ');
  return isMarkedAlike && (!isSameBag || a.join(' ') === b.join(' '));
}

/** "Words", session: the client's own key, else the same user and project with pauses of two hours at most. */
function linkSession({ sessions, capture }) {
  const at = Date.parse(capture.at);
  let found = null;
  for (const session of sessions) {
    if (session.user !== capture.user || session.project !== capture.project) continue;
    const [first, last] = [Date.parse(session.startedAt), Date.parse(session.lastAt)];
    const pause = at < first ? first - at : Math.max(0, at - last);
    const isIt = capture.key === null ? pause <= 2 * HOUR : session.key === capture.key;
    if (!isIt) continue;
    const isLater = found === null || last > found.last || (last === found.last && session.id < found.id);
    if (isLater) found = { id: session.id, last };
  }
  const last = found === null ? at : Math.max(found.last, at);
  return { id: found === null ? null : found.id, lastAt: new Date(last).toISOString() };
}

const REFERENCE = { fuse, fullScore, creditRanks, mayMerge, linkSession };

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error('give a golden file');
const { cases } = JSON.parse(readFileSync(path, 'utf8'));
const known = cases.flatMap((one, index) => {
  const work = Object.hasOwn(REFERENCE, one.function) ? REFERENCE[one.function] : undefined;
  return work === undefined ? [] : [{ index, function: one.function, expected: work(one.input) }];
});
process.stdout.write(`${JSON.stringify(known)}\n`);
