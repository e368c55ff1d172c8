import { stat } from 'node:fs/promises';
import { TranscriptReader, type TranscriptTurn } from '@tempera/client-kit';
import { keptTools } from '../hooks/kept-tools.js';
import { keepable, keepableBranch } from '../hooks/said.js';
import { nameOf, type SpoolRecord } from '../spool/spool-record.js';
import type { Imported } from './import-state.js';
import type { TurnPlaces } from './turn-places.js';
import { readWholeLines } from './whole-lines.js';

/** What a file held. */
export interface FileReport {
  readonly lines: number;
  readonly unreadable: number;
  readonly turns: number;
  readonly imported: Imported;
}

/** Takes turns as they are found. */
export type TakeTurns = (records: readonly SpoolRecord[]) => Promise<void>;

type Turn = Extract<SpoolRecord, { kind: 'turn' }>;

const momentOf = (at: string | null, otherwise: Date): string => {
  const time = at === null ? Number.NaN : Date.parse(at);
  return (Number.isNaN(time) ? otherwise : new Date(time)).toISOString();
};

const recordOf = async (turn: TranscriptTurn, written: Date, places: TurnPlaces): Promise<Turn | null> => {
  const { login, project } = await places.of(turn.cwd);
  const [prompt, answer, tools] = [keepable(turn.prompt), keepable(turn.answer), keptTools(turn.tools)];
  const sessionKey = turn.sessionKey.slice(0, 200);
  const promptKey = turn.promptKey.slice(0, 200);
  if (sessionKey === '' || promptKey === '' || (prompt === '' && answer === '')) return null;
  return {
    kind: 'turn',
    // Without one nothing is sent: then it is only counted.
    login: login ?? '',
    turn: {
      key: nameOf('transcript', sessionKey, promptKey, prompt, answer),
      project,
      sessionKey,
      promptKey,
      at: momentOf(turn.at, written),
      prompt,
      answer,
      tools,
      branch: keepableBranch(turn.branch),
      client: 'claude-code',
      isBackfill: true,
    },
  };
};

/**
 * Reads one conversation file and hands its turns on as they end, so that a file of any size takes little memory.
 *
 * @param done how far it was imported before; `null` for a file that is new
 */
export const importTranscript = async (
  path: string,
  done: Imported | null,
  places: TurnPlaces,
  take: TakeTurns,
): Promise<FileReport> => {
  const { ino, mtime } = await stat(path);
  const skip = done?.inode === ino ? done.turns : 0;
  const reader = new TranscriptReader();
  let finished = 0;
  let turns = 0;
  const hand = async (ended: readonly TranscriptTurn[], from: number): Promise<void> => {
    const fresh = ended.filter((_, at) => from + at >= skip);
    const records = await Promise.all(fresh.map((turn) => recordOf(turn, mtime, places)));
    const good = records.filter((record) => record !== null);
    turns += good.length;
    if (good.length > 0) await take(good);
  };
  const read = await readWholeLines(path, async (line) => {
    reader.push(line);
    const ended = reader.takeEnded();
    await hand(ended, finished);
    finished += ended.length;
  });
  // Those that nothing followed may grow yet: next time they are read again, and known by their keys unless they did.
  await hand(reader.read(), Number.POSITIVE_INFINITY);
  const { lines, unreadable } = reader.counts;
  return {
    lines: lines + read.tooLong,
    unreadable: unreadable + read.tooLong,
    turns,
    imported: { inode: ino, bytes: read.bytes, turns: finished },
  };
};
