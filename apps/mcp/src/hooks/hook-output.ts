/** What a hook says to its client. */
export interface HookOutput {
  readonly event: 'SessionStart' | 'UserPromptSubmit';
  /** For the agent. */
  readonly context?: string;
  /** For the person. */
  readonly line?: string;
}

/** One JSON value, and nothing beside it: a word before it would be injected as it stands. */
export const writtenOutput = ({ event, context, line }: HookOutput): string =>
  JSON.stringify({
    ...(line === undefined ? {} : { systemMessage: line }),
    ...(context === undefined ? {} : { hookSpecificOutput: { hookEventName: event, additionalContext: context } }),
  });
