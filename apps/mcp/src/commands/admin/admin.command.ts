import type { AddCommand } from '../command.js';
import { AUDIT_VERBS } from './audit.command.js';
import { addAdminDoctor } from './doctor.command.js';
import { ENCODER_VERBS } from './encoders.command.js';
import { ERASURE_VERBS } from './erasures.command.js';
import { GROUP_VERBS } from './groups.command.js';
import { IDENTITY_VERBS } from './identities.command.js';
import { INSTANCE_VERBS } from './instance.command.js';
import { INVITATION_VERBS } from './invitations.command.js';
import { LOG_VERBS } from './log.command.js';
import { RUN_VERBS, SCHEDULE_VERBS } from './maintenance.command.js';
import { MEMBER_VERBS } from './members.command.js';
import { addOperatorLogin } from './operator-login.command.js';
import { OPERATOR_VERBS } from './operators.command.js';
import { PROJECT_VERBS } from './projects.command.js';
import { QUOTA_VERBS } from './quotas.command.js';
import { RULE_VERBS } from './rules.command.js';
import { SETTING_VERBS } from './settings.command.js';
import { OWN_TENANT_VERBS } from './tenant.command.js';
import { TENANT_VERBS } from './tenants.command.js';
import { USER_VERBS } from './users.command.js';
import { addNoun, type Noun } from '../verb.js';

/** Every noun of `tempera admin`. */
export const ADMIN_NOUNS: readonly Noun[] = [
  { name: 'users', summary: 'people of your tenant', sender: 'person', verbs: USER_VERBS },
  { name: 'erasures', summary: 'people who were erased, and the receipts', sender: 'person', verbs: ERASURE_VERBS },
  { name: 'invitations', summary: 'invitations and what became of them', sender: 'person', verbs: INVITATION_VERBS },
  { name: 'identities', summary: 'sign-ins of other providers', sender: 'person', verbs: IDENTITY_VERBS },
  { name: 'projects', summary: 'projects of your tenant', sender: 'person', verbs: PROJECT_VERBS },
  { name: 'groups', summary: 'groups of projects', sender: 'person', verbs: GROUP_VERBS },
  { name: 'members', summary: 'who is in a project', sender: 'person', verbs: MEMBER_VERBS },
  { name: 'tenant', summary: 'your tenant itself', sender: 'person', verbs: OWN_TENANT_VERBS },
  { name: 'schedule', summary: 'when recurring work is wanted', sender: 'person', verbs: SCHEDULE_VERBS },
  { name: 'runs', summary: 'runs of the nightly work', sender: 'person', verbs: RUN_VERBS },
  { name: 'settings', summary: 'settings with their ranges and defaults', sender: 'person', verbs: SETTING_VERBS },
  { name: 'rules', summary: 'recall rules, your own too', sender: 'person', verbs: RULE_VERBS },
  { name: 'encoders', summary: 'which encoders read your tenant', sender: 'person', verbs: ENCODER_VERBS },
  { name: 'audit', summary: 'what was done in your tenant', sender: 'person', verbs: AUDIT_VERBS },
  { name: 'tenants', summary: 'tenants of the instance', sender: 'operator', verbs: TENANT_VERBS },
  { name: 'quotas', summary: 'what tenants may keep and do', sender: 'operator', verbs: QUOTA_VERBS },
  { name: 'operators', summary: 'who runs the instance', sender: 'operator', verbs: OPERATOR_VERBS },
  { name: 'instance', summary: 'the instance itself', sender: 'operator', verbs: INSTANCE_VERBS },
  { name: 'log', summary: 'what operators did', sender: 'operator', verbs: LOG_VERBS },
];

/** `tempera admin`: what a tenant's admins and the instance's operators do, all of it by GraphQL. */
export const addAdmin: AddCommand = (program, world) => {
  const admin = program
    .command('admin')
    .summary('run a tenant (owner, admin) or the instance (operators)')
    .description(
      'Runs a tenant, as its owner or admin with your own login, or the instance, as operator after `tempera admin login`. Every command prints JSON with --json, and asks before it takes something away unless --yes is said.',
    );
  addOperatorLogin(admin, world);
  addAdminDoctor(admin, world);
  for (const noun of ADMIN_NOUNS) {
    const who = noun.sender === 'operator' ? 'operators' : 'owner, admin';
    addNoun(admin, world, { ...noun, summary: `${noun.summary} (${who})` });
  }
};
