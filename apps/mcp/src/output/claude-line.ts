/** The line that gives Claude Code the tools; the same wherever it is shown. @param invocation how this program is started */
export const claudeLine = (invocation: string): string =>
  `claude mcp add --transport stdio tempera -- ${invocation} serve`;
