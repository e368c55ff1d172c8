import { OPERATION_RULES, type OperationRule, type Who } from './operation-rules.js';

/** The columns of the matrix. */
export const MATRIX_ROLES = [
  ...(['owner', 'admin', 'maintainer', 'contributor', 'reader', 'viewer'] as const),
  ...(['machine read', 'machine write', 'machine admin', 'operator', 'nobody'] as const),
] as const;
export type MatrixRole = (typeof MATRIX_ROLES)[number];

const PEOPLE: Readonly<Record<Exclude<Who, 'anyone' | 'operator'>, readonly MatrixRole[]>> = {
  member: ['owner', 'admin', 'maintainer', 'contributor', 'reader', 'viewer'],
  maintainer: ['owner', 'admin', 'maintainer'],
  admin: ['owner', 'admin'],
};

/** Whether the rule lets the role come; machines are those of an owner. */
export const maySend = ({ who, machines }: OperationRule, role: MatrixRole): boolean => {
  if (who === 'anyone') return true;
  if (who === 'operator') return role === 'operator';
  return PEOPLE[who].includes(role) || role === `machine ${machines}`;
};

/** The matrix as a page of the documentation. */
export const matrixPage = (): string => {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const lines = Object.entries(OPERATION_RULES).map(([name, rule]) =>
    row([name, ...MATRIX_ROLES.map((role) => (maySend(rule, role) ? 'yes' : '–'))]),
  );
  return [
    '# Who may call what',
    '',
    'Written by `node apps/api/dist/matrix-cli.js` from `apps/api/src/auth/operation-rules.ts`; a test calls each operation as each',
    'role and compares. A yes lets the caller come: what is found and changed is theirs or shared with them, and nothing of another',
    'tenant. Maintainer, contributor and reader are roles in the project that is named; machines are those of an owner.',
    '',
    row(['operation', ...MATRIX_ROLES]),
    row(['---', ...MATRIX_ROLES.map(() => '---')]),
    ...lines,
    '',
  ].join('\n');
};
