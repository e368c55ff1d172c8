import { spokenText, textIn } from './spoken-text.js';
import { parseTranscriptLine, type TranscriptBlock, type TranscriptLine } from './transcript-line.js';

/** One use of a tool, as `keepTurns` takes it. */
export interface TranscriptTool {
  readonly name: string;
  readonly file: string | null;
  readonly command: string | null;
  readonly error: string | null;
  readonly resolution: string | null;
}

/** What a person asked and what came back, as a conversation file tells it. */
export interface TranscriptTurn {
  readonly sessionKey: string;
  readonly promptKey: string;
  /** When the last line of it was written; null where no line says. */
  readonly at: string | null;
  readonly prompt: string;
  readonly answer: string;
  readonly tools: readonly TranscriptTool[];
  readonly branch: string | null;
  /** The folder in which it was said. */
  readonly cwd: string | null;
}

export interface TranscriptCounts {
  readonly lines: number;
  /** No JSON, too long, or cut in the middle. */
  readonly unreadable: number;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
interface Growing extends Writable<Omit<TranscriptTurn, 'tools'>> {
  tools: Writable<TranscriptTool>[];
  answerId: string | undefined;
  readonly byUse: Map<string, Writable<TranscriptTool>>;
}

const MOST_TOOLS = 100;
/** More than is kept, so that a secret which reaches over the end is still seen whole. */
const LONGEST_ERROR = 8_500;

const toTurn = ({ answerId: _, byUse: __, ...turn }: Growing): TranscriptTurn => ({
  ...turn,
  tools: turn.tools.slice(0, MOST_TOOLS),
});

/**
 * Makes turns of the lines of conversation files, in the order in which they come. Sessions may interleave, lines may come twice
 * (resumed and forked sessions are copies), what subagents say is left out, and what the client put in is no prompt.
 */
export class TranscriptReader {
  private readonly seen = new Set<string>();
  private readonly turns: Growing[] = [];
  private readonly open = new Map<string, Growing>();
  private lines = 0;
  private unreadable = 0;

  /** One line without its end; whoever reads a file that is still written gives no last line without one. */
  push(text: string): void {
    if (text.trim() === '') return;
    this.lines += 1;
    const line = parseTranscriptLine(text);
    if (line === null) this.unreadable += 1;
    else if (!this.isKnown(line)) this.take(line);
  }

  /** The turns so far in which something was asked. */
  read(): TranscriptTurn[] {
    return this.turns.map(toTurn);
  }

  /** Takes out the turns that another one of their session has followed, so that a file of any size takes little memory. */
  takeEnded(): TranscriptTurn[] {
    const open = new Set(this.open.values());
    if (this.turns.length === open.size) return [];
    const ended = this.turns.filter((turn) => !open.has(turn));
    this.turns.splice(0, this.turns.length, ...open);
    return ended.map(toTurn);
  }

  get counts(): TranscriptCounts {
    return { lines: this.lines, unreadable: this.unreadable };
  }

  private isKnown({ uuid }: TranscriptLine): boolean {
    if (uuid === undefined) return false;
    if (this.seen.has(uuid)) return true;
    this.seen.add(uuid);
    return false;
  }

  private take(line: TranscriptLine): void {
    if (line.isSidechain === true || line.isMeta === true || line.isCompactSummary === true) return;
    const sessionKey = line.sessionId ?? '';
    if (line.type === 'user') this.ofUser(line, sessionKey);
    else if (line.type === 'assistant') this.ofAgent(line, sessionKey);
    else if (line.type === 'attachment' && line.attachment?.type === 'queued_command') {
      this.addToPrompt(sessionKey, spokenText(textIn(line.attachment.prompt ?? [])));
    }
  }

  private ofUser(line: TranscriptLine, sessionKey: string): void {
    const blocks = line.message?.content ?? [];
    const results = blocks.filter(({ type }) => type === 'tool_result');
    for (const result of results) this.ofResult(result, line, sessionKey);
    const prompt = results.length > 0 ? '' : spokenText(textIn(blocks));
    if (prompt === '') return;
    const turn: Growing = {
      sessionKey,
      promptKey: line.promptId ?? line.uuid ?? `${sessionKey}:${this.lines}`,
      at: line.timestamp ?? null,
      prompt,
      answer: '',
      tools: [],
      branch: line.gitBranch === undefined || line.gitBranch === '' ? null : line.gitBranch,
      cwd: line.cwd ?? null,
      answerId: undefined,
      byUse: new Map(),
    };
    this.turns.push(turn);
    this.open.set(sessionKey, turn);
  }

  /** What was typed while the agent worked belongs to the turn at which it worked. */
  private addToPrompt(sessionKey: string, more: string): void {
    const turn = this.open.get(sessionKey);
    if (turn !== undefined && more !== '') turn.prompt = `${turn.prompt}\n${more}`;
  }

  private ofAgent(line: TranscriptLine, sessionKey: string): void {
    const turn = this.open.get(sessionKey);
    if (turn === undefined) return;
    turn.at = line.timestamp ?? turn.at;
    const blocks = line.message?.content ?? [];
    const text = textIn(blocks).trim();
    if (text !== '') {
      // A message comes in several lines, one a block; the last message that says something is the answer.
      const id = line.message?.id;
      turn.answer = id !== undefined && id === turn.answerId ? `${turn.answer}\n${text}` : text;
      turn.answerId = id;
    }
    for (const use of blocks) if (use.type === 'tool_use') addUse(turn, use);
  }

  private ofResult(result: TranscriptBlock, line: TranscriptLine, sessionKey: string): void {
    const turn = this.open.get(sessionKey);
    if (turn === undefined) return;
    turn.at = line.timestamp ?? turn.at;
    const tool = turn.byUse.get(result.tool_use_id ?? '');
    if (tool === undefined || result.is_error !== true) return;
    tool.error = resultText(result.content).slice(0, LONGEST_ERROR);
  }
}

const addUse = (turn: Growing, { id, name, input }: TranscriptBlock): void => {
  const said = (key: string): string | null => (typeof input?.[key] === 'string' ? input[key] : null);
  const file = said('file_path') ?? said('notebook_path') ?? said('path');
  const tool = { name: name ?? 'unknown', file, command: said('command'), error: null, resolution: null };
  turn.tools.push(tool);
  if (id !== undefined) turn.byUse.set(id, tool);
};

const resultText = (content: unknown): string => {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((one: unknown) =>
      typeof one === 'object' && one !== null && 'text' in one && typeof one.text === 'string' ? [one.text] : [],
    )
    .join('\n');
};
