/** Lines of `tempera admin encoders`: what each sends, and what it is answered. */
export const encoderLines = (
  id: string,
  at: string,
): [line: string, field: string, answer: unknown, variables: object][] => {
  const encoder = { encoder: 'a@b', language: 'en', dimensions: 384, active: true, ready: true, detail: 'ready' };
  const change = {
    id,
    fromEncoder: 'a@a',
    toEncoder: 'a@b',
    status: 'KEPT',
    waitsFor: null,
    keepDays: 7,
    figures: { memories: 3, done: 3, parts: 0, setAside: 0, questions: 0, questionsDone: 0, questionsLost: 0 },
    requestedAt: at,
    switchedAt: at,
    keepUntil: at,
    finishedAt: null,
  };
  return [
    ['encoders list', 'encoders', { encoders: [encoder], changes: [change] }, {}],
    ['encoders changes', 'encoders', { encoders: [], changes: [change] }, {}],
    ['encoders watch', 'encoders', { encoders: [], changes: [change] }, {}],
    ['encoders change a@b --dry-run', 'previewEncoderChange', change.figures, { encoder: 'a@b' }],
    ['encoders change a@b --drop-old', 'changeEncoder', change, { input: { encoder: 'a@b', keepDays: 0 } }],
  ];
};
