import { z } from 'zod';
import { type Column, minuteText } from '../../output/table.js';

export const figuresShape = z.object({
  memories: z.number(),
  done: z.number(),
  parts: z.number(),
  setAside: z.number(),
  questions: z.number(),
  questionsDone: z.number(),
  questionsLost: z.number(),
});
export type Figures = z.output<typeof figuresShape>;

export const changeShape = z.object({
  id: z.string(),
  fromEncoder: z.string(),
  toEncoder: z.string(),
  status: z.string(),
  waitsFor: z.string().nullable(),
  keepDays: z.number(),
  figures: figuresShape,
  requestedAt: z.string(),
  switchedAt: z.string().nullable(),
  keepUntil: z.string().nullable(),
  finishedAt: z.string().nullable(),
});
export type Change = z.output<typeof changeShape>;

export const encoderShape = z.object({
  encoder: z.string(),
  language: z.string(),
  dimensions: z.number(),
  active: z.boolean(),
  ready: z.boolean(),
  detail: z.string(),
});
export const encodersShape = z.object({ encoders: z.array(encoderShape), changes: z.array(changeShape) });

export const ENCODER_COLUMNS: readonly Column<z.output<typeof encoderShape>>[] = [
  { heading: 'encoder', cell: ({ encoder }) => encoder },
  { heading: 'language', cell: ({ language }) => language },
  { heading: 'numbers', cell: ({ dimensions }) => dimensions },
  { heading: 'yours', cell: ({ active }) => (active ? 'yes' : 'no') },
  { heading: 'state', cell: ({ detail }) => detail },
];

export const CHANGE_COLUMNS: readonly Column<Change>[] = [
  { heading: 'id', cell: ({ id }) => id },
  { heading: 'to', cell: ({ toEncoder }) => toEncoder },
  { heading: 'status', cell: ({ status, waitsFor }) => `${status.toLowerCase()}${waitsFor ? ` (${waitsFor})` : ''}` },
  { heading: 'read', cell: ({ figures: { done, memories } }) => `${done} of ${memories}` },
  { heading: 'set aside', cell: ({ figures }) => figures.setAside },
  { heading: 'asked', cell: ({ requestedAt }) => minuteText(requestedAt) },
  { heading: 'switched', cell: ({ switchedAt }) => minuteText(switchedAt) },
  { heading: 'old kept until', cell: ({ keepUntil }) => minuteText(keepUntil) },
];
