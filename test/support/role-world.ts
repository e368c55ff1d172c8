import type { MatrixRole } from '../../apps/api/src/auth/operation-matrix.js';
import type { TestApi } from './api.js';
import { createTenant, GraphQLClient, invite, machineOf, RefusedError } from './graphql-client.js';
import { type Operation, withValue } from './schema-walk.js';

/** The project that all members of the world are in. */
const PROJECT = 'api';
/** A group that the project is in, with a memory, so that nobody ends it. */
const GROUP = 'apis';

/** One person or machine of each role, around one project; machines speak for the owner. */
export const openRoleWorld = async (api: TestApi): Promise<Readonly<Record<MatrixRole, GraphQLClient>>> => {
  const operator = await api.operator();
  const owner = await createTenant(operator, 'Acme');
  await owner.send(`mutation { createProject(input: { slug: "${PROJECT}", name: "P" }) { id } }`);
  await owner.send(`mutation { createGroup(input: { slug: "${GROUP}", name: "G", projects: ["${PROJECT}"] }) { id } }`);
  await owner.send(`mutation { capture(input: { text: "for all", project: "${PROJECT}", scope: GROUP }) { status } }`);
  const member = (displayName: string, projectRole: string, role = 'MEMBER'): Promise<GraphQLClient> =>
    invite(owner, { displayName, role, project: PROJECT, projectRole });
  return {
    owner,
    admin: await invite(owner, { displayName: 'Ada', role: 'ADMIN' }),
    maintainer: await member('Mia', 'MAINTAINER'),
    contributor: await member('Con', 'CONTRIBUTOR'),
    reader: await member('Rea', 'READER'),
    viewer: await member('Vic', 'READER', 'VIEWER'),
    'machine read': await machineOf(owner, ['READ']),
    'machine write': await machineOf(owner, ['WRITE']),
    'machine admin': await machineOf(owner, ['ADMIN']),
    operator,
    nobody: new GraphQLClient(api.url),
  };
};

/** Where a project is named, the one that is there: a role shows only where existence is known. */
const inProject = (operation: Operation): Record<string, unknown> =>
  operation.arguments.reduce<Record<string, unknown>>((variables, { name }) => {
    const isProject = name === 'project' || (name === 'slug' && operation.name === 'project');
    if (name === 'remote') return { ...variables, remote: 'https://git.example.org/x' };
    const isGroup = name === 'group' || (name === 'slug' && operation.name === 'group');
    if (name === 'moveBack') return { ...variables, moveBack: false };
    if (isGroup && name in variables) return { ...variables, [name]: GROUP };
    return isProject && name in variables ? { ...variables, [name]: PROJECT } : variables;
  }, nestedProject(operation));

const nestedProject = (operation: Operation): Record<string, unknown> => {
  const input = operation.variables['input'];
  const names = typeof input === 'object' && input !== null && 'project' in input;
  return names ? withValue(operation, ['input', 'project'], PROJECT) : { ...operation.variables };
};

/** Whether the role lets the caller through: what is refused for another reason was let through. */
export const isLetThrough = async (client: GraphQLClient, operation: Operation): Promise<boolean> => {
  try {
    await client.send(operation.document, inProject(operation));
    return true;
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return !['UNAUTHENTICATED', 'FORBIDDEN'].includes(error.code) || isOfPublic(operation, error);
  }
};

/** Codes and tokens that open nothing are refused as UNAUTHENTICATED by the operations that redeem them. */
const isOfPublic = ({ name }: Operation, { code, reason }: RefusedError): boolean =>
  code === 'UNAUTHENTICATED' &&
  reason !== 'not-logged-in' &&
  /^(login|refresh|exchangeToken|operatorLogin|.*[dD]evice.*)$/.test(name);
