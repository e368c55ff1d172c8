/** What a client tells a hook. Any of it may be missing: the client changes several times a week. */
export interface HookInput {
  readonly sessionKey: string;
  readonly promptKey: string | null;
  readonly folder: string | null;
  readonly transcript: string | null;
  /** Why a session began. */
  readonly source: string;
  readonly prompt: string;
  readonly answer: string;
  readonly client: string;
  /** A subagent's, or a turn that a hook itself made go on: not what a person and an agent said. */
  readonly isInner: boolean;
}

const MAX_KEY = 200;

const textAt = (value: Readonly<Record<string, unknown>>, ...names: readonly string[]): string | null => {
  for (const name of names) {
    const found = value[name];
    if (typeof found === 'string' && found.trim() !== '') return found;
  }
  return null;
};

const keyAt = (value: Readonly<Record<string, unknown>>, ...names: readonly string[]): string | null => {
  const key =
    textAt(value, ...names)
      ?.replace(/\s+/g, ' ')
      .trim() ?? null;
  return key === null || key.length > MAX_KEY ? null : key;
};

/**
 * Reads what came on standard input.
 *
 * @returns `null` for what is no JSON object, or names no session: there is nothing to do for it
 */
export const readHookInput = (text: string): HookInput | null => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null;
  const value = parsed as Record<string, unknown>;
  // VS Code reads the same hooks and writes its fields in its own way.
  const sessionKey = keyAt(value, 'session_id', 'sessionId');
  if (sessionKey === null) return null;
  return {
    sessionKey,
    promptKey: keyAt(value, 'prompt_id', 'promptId', 'turn_id'),
    folder: textAt(value, 'cwd'),
    transcript: textAt(value, 'transcript_path', 'transcriptPath'),
    source: textAt(value, 'source') ?? 'startup',
    prompt: textAt(value, 'prompt') ?? '',
    answer: textAt(value, 'last_assistant_message', 'lastAssistantMessage') ?? '',
    client: textAt(value, 'session_id') === null ? 'vscode' : 'claude-code',
    isInner:
      textAt(value, 'agent_id', 'agentId') !== null || (value['stop_hook_active'] ?? value['stopHookActive']) === true,
  };
};
