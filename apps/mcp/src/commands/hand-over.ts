import { isLoopback } from '../graphql/server-address.js';
import { minuteText } from '../output/table.js';
import type { Terminal } from '../output/terminal.js';

/** What to hand over with a one-time code: the line that takes it. The other machine starts the command in its own way. */
export const handOver = (
  who: string,
  server: string,
  { code, expiresAt }: { readonly code: string; readonly expiresAt: string },
  terminal: Terminal,
): string[] => [
  `One-time code, shown only now, good until ${minuteText(expiresAt) ?? ''}:`,
  `  ${terminal.paint('bold', code)}`,
  `${who}, and pastes the code at the prompt (in a checkout of Tempera Team the command is \`npx tempera\`):`,
  `  tempera login --server ${server}`,
  ...(isLoopback(server)
    ? [`${server} is reached from this machine only: elsewhere, use an address of it that is.`]
    : []),
];
