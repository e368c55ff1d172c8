import { withoutRecalled } from '../envelope.js';
import { OUR_MARK } from './our-mark.js';

/** What clients put into a conversation that nobody said. */
const SYSTEM_TAGS = [
  'system-reminder',
  'system-warning',
  'local-command-caveat',
  'local-command-stdout',
  'local-command-stderr',
  'command-name',
  'command-message',
  'command-contents',
  'task-notification',
  'user-prompt-submit-hook',
  'session-start-hook',
  'bash-stdout',
  'bash-stderr',
  'ide_opened_file',
  'ide_selection',
  'ide_diagnostics',
];
const TAG = new RegExp(`<(/?)(${SYSTEM_TAGS.join('|')})(?:\\s[^<>]{0,200})?>`, 'gi');

/** Cuts what stands in tags of the system; one that nobody closes hides all that follows, as with private spans. */
const withoutSystemTags = (text: string): string => {
  let kept = '';
  let from = 0;
  let open: string | null = null;
  let depth = 0;
  for (const { 0: tag, 1: closes, 2: name = '', index } of text.matchAll(TAG)) {
    const isSame = open === name.toLowerCase();
    if (open === null) {
      // A closing tag alone hides nothing; it says nothing either.
      kept += text.slice(from, index);
      from = index + tag.length;
      if (closes === '') [open, depth] = [name.toLowerCase(), 1];
    } else if (isSame) {
      depth += closes === '' ? 1 : -1;
      if (depth === 0) [open, from] = [null, index + tag.length];
    }
  }
  return open === null ? kept + text.slice(from) : kept;
};

/**
 * What a person or an agent said, without what was put beside it: tags of the system, and what our own answers and blocks
 * brought in (docs/design.md M3). Secrets are taken out by `redact` after this, private spans by `withoutPrivate` before: what is cut
 * here may hold one tag of a span and leave the other.
 */
export const saidWords = (text: string): string => {
  const said = withoutRecalled(withoutSystemTags(text)).text;
  if (!said.includes(OUR_MARK)) return said.trim();
  return said
    .split('\n')
    .filter((line) => !line.includes(OUR_MARK))
    .join('\n')
    .trim();
};
