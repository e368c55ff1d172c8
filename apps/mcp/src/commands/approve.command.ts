import { neutraliseLine } from '@tempera/client-kit';
import { z } from 'zod';
import { APPROVE_DEVICE, DENY_DEVICE, DEVICE } from '../graphql/operations.js';
import { confirm } from '../output/confirm.js';
import { askerOfFolder } from '../workplace.js';
import type { World } from '../world.js';
import { type AddCommand, shellOf, withJson } from './command.js';

const deviceShape = z.object({
  userCode: z.string(),
  client: z.string(),
  address: z.string(),
  createdAt: z.string(),
});
type Device = z.output<typeof deviceShape>;

interface ApproveOptions {
  readonly deny?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

const factsOf = ({ userCode, client, address, createdAt }: Device): string[] => [
  `Code:          ${neutraliseLine(userCode, 20)}`,
  `It calls itself ${neutraliseLine(client, 100)}`,
  `It asks from   ${neutraliseLine(address, 60)}, since ${neutraliseLine(createdAt, 40)}`,
];

const approve = async (code: string, options: ApproveOptions, world: World): Promise<void> => {
  const { terminal } = shellOf(world, { ...options });
  const client = await askerOfFolder(world);
  const device = await client.ask(DEVICE, { userCode: code }, 'device', deviceShape, false);
  // Anybody can send somebody a code: only who looks at the device knows that it is theirs.
  for (const line of factsOf(device)) terminal.note(line);
  const isSure = options.yes === true || options.deny === true;
  await confirm('Does your own device show exactly this code?', 'destroy', isSure, world);
  const [query, field] = options.deny === true ? [DENY_DEVICE, 'denyDevice'] : [APPROVE_DEVICE, 'approveDevice'];
  // Not repeated: a second one would find nothing waiting, and say that the code is wrong.
  const answered = await client.ask(query, { userCode: code }, field, deviceShape, false);
  const name = neutraliseLine(answered.client, 100);
  const told = options.deny === true ? `${name} stays out.` : `${name} is logged in as you within a few seconds.`;
  terminal.result([told], { device: answered, approved: options.deny !== true });
};

/** `tempera approve` */
export const addApprove: AddCommand = (program, world) => {
  withJson(program.command('approve'))
    .summary('let another device log in as you')
    .description(
      'Lets a device log in as you: one that ran `tempera login` and shows this code. Compare before you agree.',
    )
    .argument('<code>', 'the code that the device shows, such as BCDF-GHJK')
    .option('--deny', 'send the device away')
    .option('--yes', 'you compared the codes already')
    .action((code: string, options: ApproveOptions) => approve(code, options, world));
};
