import type { EncoderChange as ChangeRecord, EncoderFigures as Figures } from '@tempera/platform';
import type { EncoderChange } from './encoder.types.js';

const UNDER_WAY: ReadonlySet<string> = new Set(['memories', 'questions', 'switching']);

/** Whether its figures are still to be counted. */
export const isUnderWay = ({ status }: Pick<ChangeRecord, 'status'>): boolean => UNDER_WAY.has(status);

export const toEncoderChange = (change: ChangeRecord, figures: Figures | null): EncoderChange => {
  const { memories, setAside, questionsLost, ...shown } = change;
  const noted = { memories, done: memories, parts: 0, setAside, questions: 0, questionsDone: 0, questionsLost };
  return { ...shown, figures: figures ?? noted };
};
