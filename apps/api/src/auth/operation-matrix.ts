import { ACCESS_ROLE_NAMES, ACCESS_ROLES, GRANTS, PERMISSIONS } from '@tempera/core';
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

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(heads), row(heads.map(() => '---')), ...rows.map(row)].join('\n');

const operationTable = (): string =>
  table(
    ['operation', ...MATRIX_ROLES],
    Object.entries(OPERATION_RULES).map(([name, rule]) => [
      name,
      ...MATRIX_ROLES.map((role) => (maySend(rule, role) ? 'yes' : '–')),
    ]),
  );

const permissionTable = (): string =>
  table(
    ['', ...ACCESS_ROLES.map((role) => ACCESS_ROLE_NAMES[role])],
    PERMISSIONS.flatMap(({ title, permissions }) => [
      [`**${title}**`, ...ACCESS_ROLES.map(() => '')],
      ...permissions.map((permission) => [
        permission.title,
        ...ACCESS_ROLES.map((role) => GRANTS[permission.grants[role]]),
      ]),
    ]),
  );

/**
 * A page of the documentation with its tables written anew: what stands between `<!-- table NAME -->` and
 * `<!-- end NAME -->` is ours, the rest is people's.
 * @throws Error for a page without one of the marks
 */
export const withTables = (page: string): string =>
  Object.entries({ permissions: permissionTable(), operations: operationTable() }).reduce((text, [name, written]) => {
    const [begin, end] = [`<!-- table ${name} -->`, `<!-- end ${name} -->`];
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`The page has no place for the table "${name}".`);
    return `${text.slice(0, from + begin.length)}\n\n${written}\n\n${text.slice(to)}`;
  }, page);
