import { z } from 'zod';
import { RESET_SETTING, SET_SETTING, SETTINGS } from '../../graphql/governance-operations.js';
import type { Column } from '../../output/table.js';
import { given } from '../command.js';
import { named, showDone } from '../lists.js';
import { printList } from '../pages.js';
import type { Call, Verbs } from '../verb.js';

const settingShape = z.object({
  key: z.string(),
  value: z.string().nullable(),
  projectValue: z.string().nullable(),
  tenantValue: z.string().nullable(),
  defaultValue: z.string().nullable(),
  type: z.string(),
  scope: z.string(),
  min: z.number().nullable(),
  max: z.number().nullable(),
  choices: z.array(z.string()),
  unit: z.string().nullable(),
  summary: z.string(),
});
type Setting = z.output<typeof settingShape>;

const rangeOf = ({ min, max, choices, unit }: Setting): string | null => {
  if (choices.length > 0) return choices.join(' or ');
  return min === null || max === null ? null : `${min} to ${max}${unit === null ? '' : ` ${unit}`}`;
};

const setBy = ({ projectValue, tenantValue }: Setting): string =>
  projectValue !== null ? 'project' : tenantValue !== null ? 'tenant' : 'default';

const COLUMNS: readonly Column<Setting>[] = [
  { heading: 'key', cell: ({ key }) => key },
  { heading: 'value', cell: ({ value }) => value },
  { heading: 'set by', cell: setBy },
  { heading: 'default', cell: ({ defaultValue }) => defaultValue },
  { heading: 'range', cell: rangeOf },
  { heading: 'meaning', cell: ({ summary }) => summary },
];

const PROJECT_OPTION = ['--project <slug>', 'of this project alone'] as const;

const tell = (call: Call, done: string, setting: Setting): void =>
  showDone(call, done, `${setting.key} is ${named(setting.value ?? 'unset')} (by the ${setBy(setting)}).`, setting);

/** `tempera admin settings` */
export const SETTING_VERBS: Verbs = {
  list: {
    summary: 'list every setting with its range, its default and what is in force',
    options: [PROJECT_OPTION],
    examples: ['settings list', 'settings list --project web-shop'],
    run: async ({ asker, terminal, options }) => {
      const variables = given({ project: options['project'] });
      const nodes = await asker.ask(SETTINGS, variables, 'settings', z.array(settingShape), true);
      printList(terminal, { nodes, hasMore: false }, COLUMNS, 'No settings.');
    },
  },
  set: {
    args: '<key> <value>',
    summary: 'set a key for the tenant, or for a project (its maintainers too)',
    options: [PROJECT_OPTION],
    examples: ['settings set retrieval.max_recall_items 8', 'settings set bellman.decay_rate 0.02 --project web-shop'],
    run: async (call) => {
      const [key, value] = call.args;
      const input = given({ key, value, project: call.options['project'] });
      tell(call, 'Set:', await call.asker.ask(SET_SETTING, { input }, 'setSetting', settingShape, true));
    },
  },
  reset: {
    args: '<key>',
    summary: 'take a value away, so that the one of the tenant or the default holds',
    options: [PROJECT_OPTION],
    question: ([key]) => `Take the value of ${named(key ?? '')} away?`,
    examples: ['settings reset retrieval.max_recall_items'],
    run: async (call) => {
      const input = given({ key: call.args[0], project: call.options['project'] });
      tell(call, 'Reset:', await call.asker.ask(RESET_SETTING, { input }, 'resetSetting', settingShape, true));
    },
  },
};
