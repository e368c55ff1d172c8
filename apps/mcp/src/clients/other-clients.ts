/** How one more client is given the server: a command to run, or what to put where. */
export interface ClientLine {
  readonly client: string;
  readonly line: string;
}

const entry = (invocation: string): string => {
  const [command = '', ...words] = invocation.split(' ');
  return JSON.stringify({ command, args: [...words, 'serve'] });
};

/** The lines for the clients that have no plugin of ours. All start the same server, which reads the login of its user. */
export const otherClients = (invocation: string): ClientLine[] => {
  const servers = `{"mcpServers": {"tempera": ${entry(invocation)}}}`;
  const named = entry(invocation).replace('{', '{"name":"tempera",');
  return [
    { client: 'Cursor', line: `.cursor/mcp.json: ${servers}` },
    { client: 'Codex CLI', line: `codex mcp add tempera -- ${invocation} serve` },
    { client: 'VS Code', line: `code --add-mcp '${named}'` },
    { client: 'Gemini CLI', line: `gemini mcp add tempera ${invocation} serve` },
    { client: 'Windsurf', line: `~/.codeium/windsurf/mcp_config.json: ${servers}` },
  ];
};
