import type { ToolAnswer } from './tool.js';

/** The name under which the command is known where it is installed. */
export const COMMAND_NAME = 'tempera';

/**
 * Our own words speak of commands as `tempera …`, in backticks. Where that name is not on the path, whoever pastes one gets
 * the line that runs here instead.
 *
 * @param invocation how this very program is started, see `World.invocation`
 */
export const runnable = (text: string, invocation: string): string =>
  invocation === COMMAND_NAME ? text : text.replaceAll(`\`${COMMAND_NAME} `, `\`${invocation} `);

/** {@link runnable} for the words of ours in an answer; stored text stays as it is. */
export const runnableAnswer = (answer: ToolAnswer, invocation: string): ToolAnswer => ({
  ...answer,
  parts: answer.parts.map((part) => (part.type === 'text' ? { ...part, text: runnable(part.text, invocation) } : part)),
});
