import { daysBetween } from '@tempera/core';
import type { Status } from './status.types.js';

const QUIET_DAYS = 7;
const ENOUGH_RETRIEVALS = 5;
const LOW_FEEDBACK = 0.2;
const LOW_UTILITY = 0.3;

/** What a person can do about the numbers, the most pressing first. */
export const adviceFor = (status: Omit<Status, 'advice'>, now: Date): string[] => {
  if (status.memories === 0) return ['Nothing is remembered yet: capture what you learn as you work.'];
  // A hint without the project would show, or find, something else where the folder has another one or none.
  const here = status.project === null ? '' : ` --project ${status.project}`;
  const quietDays = status.lastCaptureAt === null ? 0 : Math.floor(daysBetween(status.lastCaptureAt, now));
  const advice: [applies: boolean, text: string][] = [
    [
      status.awaitingEmbedding > 0,
      `${count(status.awaitingEmbedding, 'memory', 'memories')} can be found by words only until an encoder has read them.`,
    ],
    [
      status.failedEmbedding > 0,
      `No encoder could read ${count(status.failedEmbedding, 'memory', 'memories')}, found by words only: capture the essence anew, in a shorter text.`,
    ],
    [
      status.lastRun?.status === 'failed',
      'The last maintenance run failed: `tempera admin runs list` shows it, `tempera admin runs start` asks for another.',
    ],
    [
      status.conflicts > 0,
      `${count(status.conflicts, 'pair of memories contradicts itself', 'pairs of memories contradict each other')}: \`tempera conflicts${here}\` shows which.`,
    ],
    [
      status.proposals > 0,
      `${count(status.proposals, 'proposal waits', 'proposals wait')} for a decision: \`tempera proposals list${here}\`.`,
    ],
    [quietDays > QUIET_DAYS, `Nothing was captured for ${quietDays} days.`],
    [
      status.neverRetrieved > Math.floor(status.memories / 2),
      `${status.neverRetrieved} of ${status.memories} were never found by a question: ask before you start (\`tempera retrieve QUESTION${here}\`), or write how one would ask.`,
    ],
    [
      status.retrievals > ENOUGH_RETRIEVALS && status.feedbackRate < LOW_FEEDBACK,
      'Few of the memories that were shown get a vote: say which helped (`tempera feedback helpful --episodes ID`), so that they rise.',
    ],
    [
      status.retrievals > 0 && status.meanUtility < LOW_UTILITY,
      'Most memories have faded or did not help: capture again what still holds.',
    ],
    [
      status.stale > 0,
      `${count(status.stale, 'memory was', 'memories were')} of no use for long and ${status.stale === 1 ? 'is' : 'are'} worth little by now: capture anew what still holds, \`tempera archive ID\` the rest.`,
    ],
    [
      status.highValue > 0,
      `${count(status.highValue, 'memory has', 'memories have')} proved useful, by votes or by the successes that followed.`,
    ],
  ];
  return advice.flatMap(([applies, text]) => (applies ? text : []));
};

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;
