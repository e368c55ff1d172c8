import { TranscriptReader } from '@tempera/client-kit';
import type { Turn } from '@tempera/core';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';

/** Turns that belong together. */
export interface Conversation {
  readonly key: string;
  readonly turns: readonly Turn[];
}

/** One file, and what stands in it. */
export interface DistilSet {
  readonly name: string;
  readonly conversations: readonly Conversation[];
  readonly unreadable: number;
}

/** A team chat: `conversation_list` of messages with sender and time. */
const chatFile = z.looseObject({
  conversation_list: z.array(z.looseObject({ create_time: z.string(), sender_name: z.string(), content: z.string() })),
});

/** Files, and the conversation files in folders, each a set. @throws Error where one is none */
export const readSets = (paths: readonly string[]): DistilSet[] =>
  paths.flatMap((path) =>
    statSync(path).isDirectory()
      ? readdirSync(path)
          .filter((name) => /\.jsonl?$/.test(name))
          .sort()
          .map((name) => readSet(join(path, name)))
      : [readSet(path)],
  );

const readSet = (path: string): DistilSet => (path.endsWith('.jsonl') ? transcriptSet(path) : chatSet(path));

const transcriptSet = (path: string): DistilSet => {
  const reader = new TranscriptReader();
  for (const line of readFileSync(path, 'utf8').split('\n')) reader.push(line);
  const bySession = groupedBy(reader.read(), ({ sessionKey }) => sessionKey);
  const conversations = [...bySession].map(([key, turns]) => ({
    key,
    turns: turns.map(({ prompt, answer, tools, at, branch }) => ({
      prompt,
      answer,
      tools,
      branch,
      at: new Date(at ?? 0),
    })),
  }));
  return { name: basename(path), conversations, unreadable: reader.counts.unreadable };
};

/** What was written on one day is one conversation; each message is a turn to which only people answer. */
const chatSet = (path: string): DistilSet => {
  const { conversation_list: messages } = chatFile.parse(JSON.parse(readFileSync(path, 'utf8')));
  const byDay = groupedBy(messages, ({ create_time: at }) => at.slice(0, 10));
  const conversations = [...byDay].map(([key, said]) => ({
    key,
    turns: said.map(({ create_time: at, sender_name: speaker, content: prompt }) => ({
      ...{ prompt, speaker, answer: '', tools: [], branch: null },
      at: new Date(at),
    })),
  }));
  return { name: basename(path), conversations, unreadable: 0 };
};

const groupedBy = <T>(all: readonly T[], keyOf: (one: T) => string): ReadonlyMap<string, readonly T[]> => {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return groups;
};
