import {
  answerForAgent,
  type AnswerPart,
  neutraliseLine,
  plainLine,
  type ToldError,
  type ToolAnswer,
  runnable,
  runnableAnswer,
} from '@tempera/client-kit';
import type { World } from '../world.js';
import { inFlags } from './flag-words.js';

type Tone = 'bold' | 'dim' | 'green' | 'yellow' | 'red';
const TONES: Readonly<Record<Tone, readonly [open: number, close: number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  green: [32, 39],
  yellow: [33, 39],
  red: [31, 39],
};
const ESCAPE = String.fromCharCode(0x1b);

/** Writes for a person at a terminal, or for the program behind a pipe. */
export class Terminal {
  /** Whether a person reads: then colours and a calm layout, else no colours and envelopes around stored text. */
  readonly isForPerson: boolean;
  private readonly hasColours: boolean;

  constructor(
    private readonly world: Pick<World, 'stdout' | 'stderr' | 'environment' | 'invocation'>,
    private readonly isJson: boolean,
  ) {
    const { environment } = world;
    this.isForPerson = world.stdout.isTTY === true && !isJson;
    this.hasColours = this.isForPerson && (environment['NO_COLOR'] ?? '') === '' && environment['TERM'] !== 'dumb';
  }

  paint(tone: Tone, text: string): string {
    const [open, close] = TONES[tone];
    return this.hasColours ? `${ESCAPE}[${open}m${text}${ESCAPE}[${close}m` : text;
  }

  /** One result: lines for people, or one JSON value with `--json`. */
  result(lines: readonly string[], value: unknown): void {
    this.write(this.runnable(lines.join('\n')), value);
  }

  /** Something for a person that is no result; kept out of a pipe and of JSON. */
  note(line: string): void {
    this.world.stderr.write(`${this.runnable(line)}\n`);
  }

  /** The answer of a tool. Behind a pipe an agent may read, so stored text stays in its envelope there. */
  answer(answer: ToolAnswer): void {
    const told = runnableAnswer(answer, this.world.invocation);
    const parts = this.isForPerson ? told.parts.map((part) => this.partForPerson(part)) : [answerForAgent(told)];
    this.write(parts.join('\n\n'), answer.structured);
  }

  /** An error, by `--json` as a value on standard output so that a script can read it. */
  error({ error, text }: ToldError): void {
    if (this.isJson) {
      const { kind, code } = error;
      const message = inFlags(plainLine(error.message, 600));
      this.result([], { error: { kind, code, message, text: this.runnable(inFlags(text)) } });
    } else this.note(`${this.paint('red', 'error')}: ${inFlags(text)}`);
  }

  private write(text: string, value: unknown): void {
    this.world.stdout.write(`${this.isJson ? JSON.stringify(value, null, 2) : text}\n`);
  }

  private runnable(text: string): string {
    return runnable(text, this.world.invocation);
  }

  private partForPerson(part: AnswerPart): string {
    if (part.type === 'text') return part.forPerson ?? part.text;
    const { author, age, trust } = part.label;
    const facts = [
      ...(author === undefined ? [] : [author]),
      ...(age === undefined ? [] : [age]),
      ...(trust === undefined ? [] : [trust]),
    ];
    const from = facts.map((fact) => neutraliseLine(fact, 60)).join(', ');
    const body = part.text.split('\n').map((line) => `   ${line}`);
    const head = part.heading === '' ? [] : [this.paint('bold', part.heading)];
    return [...head, ...(from === '' ? [] : [this.paint('dim', `   ${from}`)]), ...body].join('\n');
  }
}
