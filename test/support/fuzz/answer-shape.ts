import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isInt = (value: unknown): boolean => Number.isInteger(value) && Math.abs(Number(value)) <= 2_147_483_648;
const leaves: Readonly<Record<string, (value: unknown) => boolean>> = {
  ID: (value) => typeof value === 'string',
  String: (value) => typeof value === 'string',
  Int: isInt,
  Float: (value) => typeof value === 'number' && Number.isFinite(value),
  Boolean: (value) => typeof value === 'boolean',
  DateTime: (value) => typeof value === 'string' && /^[+-]?\d{4,6}-\d\d-\d\dT[\d:.]+Z$/.test(value),
  Date: (value) => typeof value === 'string' && /^[+-]?\d{4,6}-\d\d-\d\d$/.test(value),
};

interface Document {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

/** Selected fields by the key under which the answer holds them; skipped ones may be absent. */
const selected = (
  document: Document,
  set: SelectionSetNode,
): Map<string, { name: string; optional: boolean; sets: SelectionSetNode[] }> => {
  const found: ReturnType<typeof selected> = new Map();
  for (const node of set.selections) {
    if (node.kind === Kind.FIELD) {
      const key = node.alias?.value ?? node.name.value;
      const known = found.get(key) ?? { name: node.name.value, optional: true, sets: [] };
      if (node.selectionSet !== undefined) known.sets.push(node.selectionSet);
      found.set(key, { ...known, optional: known.optional && (node.directives ?? []).length > 0 });
      continue;
    }
    const inner = node.kind === Kind.INLINE_FRAGMENT ? node : document.fragments.get(node.name.value);
    if (inner === undefined) continue;
    for (const [key, field] of selected(document, inner.selectionSet)) {
      const known = found.get(key);
      found.set(key, known === undefined ? field : { ...field, sets: [...known.sets, ...field.sets] });
    }
  }
  return found;
};

const checkObject = (
  document: Document,
  type: GraphQLObjectType,
  sets: SelectionSetNode[],
  value: unknown,
): string[] => {
  if (!isRecord(value)) return [`${type.name} is no object`];
  const [first] = sets;
  if (first === undefined) return [];
  const fields = selected(document, { ...first, selections: sets.flatMap((set) => set.selections) });
  const faults = Object.keys(value)
    .filter((key) => !fields.has(key))
    .map((key) => `${type.name}.${key} was not asked for`);
  for (const [key, { name, optional, sets: inner }] of fields) {
    if (!Object.hasOwn(value, key)) {
      if (!optional) faults.push(`${type.name}.${key} is missing`);
    } else if (name === '__typename') {
      if (value[key] !== type.name) faults.push(`${type.name} calls itself ${String(value[key])}`);
    } else {
      const field = type.getFields()[name];
      if (field === undefined) faults.push(`${type.name} has no ${name}`);
      else faults.push(...checkValue(document, field.type, inner, value[key], `${type.name}.${name}`));
    }
  }
  return faults;
};

const checkValue = (
  document: Document,
  type: GraphQLOutputType,
  sets: SelectionSetNode[],
  value: unknown,
  place: string,
): string[] => {
  if (isNonNullType(type)) {
    return value === null ? [`${place} is null`] : checkValue(document, type.ofType, sets, value, place);
  }
  if (value === null) return [];
  if (isListType(type)) {
    if (!Array.isArray(value)) return [`${place} is no list`];
    return value.flatMap((item) => checkValue(document, type.ofType, sets, item, place));
  }
  if (isObjectType(type)) return checkObject(document, type, sets, value);
  const fits = isEnumType(type) ? type.getValue(String(value)) !== undefined : leaves[type.name]?.(value) === true;
  return fits ? [] : [`${place} is ${JSON.stringify(value)?.slice(0, 60)}, no ${type.name}`];
};

const checkErrors = (errors: unknown, codes: ReadonlySet<string>): string[] => {
  if (!Array.isArray(errors) || errors.length === 0) return ['errors is no list of errors'];
  return errors.flatMap((error: unknown) => {
    if (!isRecord(error) || typeof error['message'] !== 'string') return ['an error without words'];
    const extensions = isRecord(error['extensions']) ? error['extensions'] : {};
    const code = extensions['code'];
    const surplus = Object.keys(error).filter((key) => !['message', 'locations', 'path', 'extensions'].includes(key));
    return [
      ...surplus.map((key) => `an error tells ${key}`),
      ...(typeof code === 'string' && codes.has(code) ? [] : [`an error has the code ${String(code)}`]),
    ];
  });
};

/**
 * What of an answer is not as the schema and the document say.
 * @param document undefined where the request was no document at all: then there can be no data
 */
export const faultsOf = (
  schema: GraphQLSchema,
  document: DocumentNode | undefined,
  answer: unknown,
  codes: ReadonlySet<string>,
): string[] => {
  if (!isRecord(answer)) return ['the answer is no object'];
  const faults = Object.keys(answer).filter((key) => !['data', 'errors', 'extensions'].includes(key));
  if (answer['errors'] !== undefined) faults.push(...checkErrors(answer['errors'], codes));
  const { data } = answer;
  if (data === undefined || data === null)
    return answer['errors'] === undefined ? [...faults, 'neither data nor errors'] : faults;
  if (document === undefined) return [...faults, 'data for what is no document'];
  const isOperation = (node: { kind: Kind }): node is OperationDefinitionNode =>
    node.kind === Kind.OPERATION_DEFINITION;
  const operation = document.definitions.find(isOperation);
  const root = operation && schema.getRootType(operation.operation);
  if (operation === undefined || !root) return [...faults, 'data for no operation'];
  const fragments = document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  const named = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  return [...faults, ...checkObject({ schema, fragments: named }, root, [operation.selectionSet], data)];
};
