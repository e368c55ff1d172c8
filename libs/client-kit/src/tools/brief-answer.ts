import { makeEnvelope } from '../envelope.js';
import type { BriefRequest } from '../memory-backend.js';
import type { BriefAnswer } from '../memory-view.js';
import { neutralise, neutraliseLine } from '../untrusted-text.js';
import { shortId } from './arguments.js';
import { labelOf, placeText } from './memory-text.js';
import { introPart } from './recalled-answer.js';
import { type AnswerPart, textPart, type ToolAnswer, type ToolContext } from './tool.js';
import { wordingOf } from './wording.js';

type Item = BriefAnswer['items'][number];

const HEADINGS: Readonly<Record<string, string>> = {
  CORRECTION: 'Corrections',
  QUESTION: 'Should have been asked',
  DECISION: 'Decisions in force',
  ERROR: 'The same error, resolved before',
  TODO: 'Open todos',
  ALTERNATIVE: 'Rejected before',
};

const headingOf = (part: string): string => HEADINGS[part] ?? part.toLowerCase();

/** What is worth knowing before a task, part by part. */
export const briefAnswer = async (request: BriefRequest, context: ToolContext): Promise<ToolAnswer> => {
  const brief = await context.backend.brief(request);
  const searched = brief.searchedScopes.map((scope) => neutraliseLine(scope, 100));
  const where = `Searched: ${searched.join(', ') || 'nothing'}.`;
  const categories = brief.correctionCategories.map(({ name, count }) => `${neutraliseLine(name, 60)} ${count}`);
  const about = categories.length === 0 ? '' : ` Corrections are mostly about: ${categories.join(', ')}.`;
  const base = {
    retrievalId: brief.retrievalId,
    searchedScopes: searched,
    leftOut: brief.leftOut,
    tokens: brief.tokens,
  };
  if (brief.items.length === 0) {
    const why =
      brief.leftOut === 0
        ? 'no correction, question, decision, resolved error or todo has to do with it'
        : 'nothing fits into the budget';
    return {
      parts: [textPart(`Nothing to tell. ${where}${about} Why: ${why}.`)],
      structured: { ...base, items: [], emptyReason: why },
    };
  }
  const envelope = makeEnvelope(
    () => context.randomHex(),
    brief.items.map(({ text }) => text),
  );
  const parts: AnswerPart[] = [];
  const items: Record<string, unknown>[] = [];
  for (const [index, item] of brief.items.entries()) {
    const label = labelOf(item.memory, context.now());
    const wrapped = envelope.wrap(label, item.text);
    const isFirst = brief.items[index - 1]?.part !== item.part;
    const heading = `${isFirst ? `${headingOf(item.part)}\n` : ''}${lineOf(item)}`;
    parts.push({ type: 'memory', heading, label, text: neutralise(item.text), wrapped });
    items.push({ part: item.part.toLowerCase(), id: item.memory.id, why: item.why, content: wrapped });
  }
  const leftOut =
    brief.leftOut === 0 ? [] : [textPart(`Left out for want of room: ${brief.leftOut}. ${wordingOf(context).more}`)];
  const ids = brief.items.map(({ memory }) => memory.id);
  const ask = textPart(wordingOf(context).voteOn(ids, brief.retrievalId));
  return {
    parts: [introPart(`A brief of ${brief.items.length}. ${where}${about}`), ...parts, ...leftOut, ask],
    structured: { ...base, items },
  };
};

const lineOf = ({ memory, why }: Item): string =>
  [shortId(memory.id), memory.kind.toLowerCase(), neutraliseLine(placeText(memory), 100), ...why].join(' · ');
