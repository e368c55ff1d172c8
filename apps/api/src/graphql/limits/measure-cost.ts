import {
  type FragmentDefinitionNode,
  getArgumentValues,
  getNamedType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { MAX_PAGE_SIZE } from '../paging.js';
import { UNKNOWN_LENGTH } from './cost.js';

/** A document that was found valid, with the variables' values as the schema takes them. */
export interface MeasuredOperation {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Readonly<Record<string, unknown>>;
}

type AnyField = GraphQLField<unknown, unknown>;

/** What a field says of itself by Nest's `complexity`: points of its own, or a function of arguments and inner cost. */
type Declared = number | ((options: Readonly<Record<string, unknown>>) => unknown);

const declaredBy = ({ extensions }: AnyField): Declared | undefined => {
  const declared: unknown = extensions['complexity'];
  if (typeof declared === 'number') return declared;
  // The schema builder stores nothing else under this name.
  return typeof declared === 'function' ? (declared as Declared) : undefined;
};

const isList = ({ type }: AnyField): boolean => isListType(isNonNullType(type) ? type.ofType : type);

/** Sizes out of range are refused by the field itself, in better words. */
const pageSize = (first: unknown): number =>
  typeof first === 'number' ? Math.min(Math.max(first, 1), MAX_PAGE_SIZE) : MAX_PAGE_SIZE;

/**
 * Adds up what an operation may cost at most: arguments with their values, lists at their greatest length, pages by
 * `first`. A fragment is measured once, however often it is spread, so the measuring itself is never slow.
 */
class CostMeasure {
  private readonly known = new Map<string, number>();

  constructor(private readonly given: MeasuredOperation) {}

  selections({ selections }: SelectionSetNode, parent: GraphQLNamedType | undefined): number {
    let sum = 0;
    for (const node of selections) {
      if (node.kind === Kind.FRAGMENT_SPREAD) sum += this.fragment(node.name.value);
      else if (node.kind === Kind.INLINE_FRAGMENT) {
        const type = node.typeCondition === undefined ? parent : this.type(node.typeCondition.name.value);
        sum += this.selections(node.selectionSet, type);
      } else {
        const field = fieldOf(parent, node.name.value);
        if (field === undefined) continue;
        const type = getNamedType(field.type);
        const inner = node.selectionSet === undefined ? 0 : this.selections(node.selectionSet, type);
        const args = getArgumentValues(field, node, this.given.variables);
        sum += costOf(field, parent, args, inner);
      }
    }
    return sum;
  }

  private fragment(name: string): number {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const node = this.given.fragments.get(name);
    if (node === undefined) return 0;
    const cost = this.selections(node.selectionSet, this.type(node.typeCondition.name.value));
    this.known.set(name, cost);
    return cost;
  }

  private type(name: string): GraphQLNamedType | undefined {
    return this.given.schema.getType(name) ?? undefined;
  }
}

const fieldOf = (parent: GraphQLNamedType | undefined, name: string): AnyField | undefined => {
  // Meta fields (`__typename`, and introspection where it is allowed) are free.
  if (parent === undefined || !(isObjectType(parent) || isAbstractType(parent)) || !('getFields' in parent)) {
    return undefined;
  }
  return parent.getFields()[name];
};

const costOf = (
  field: AnyField,
  parent: GraphQLNamedType | undefined,
  args: Record<string, unknown>,
  inner: number,
): number => {
  const declared = declaredBy(field);
  if (typeof declared === 'number') return declared + inner;
  if (declared !== undefined) {
    const cost: unknown = declared({ type: parent, field, args, childComplexity: inner });
    if (typeof cost === 'number') return cost;
  }
  const type = getNamedType(field.type);
  // Of leaves only texts are long enough to count; what an object costs covers the rest.
  if (!isCompositeType(type)) return type.name === 'String' ? 1 : 0;
  if (field.args.some(({ name }) => name === 'first')) return 1 + pageSize(args['first']) * (1 + inner);
  // A page's own list: its field counted it, by `first`.
  if (field.name === 'nodes') return inner;
  return (isList(field) ? UNKNOWN_LENGTH : 1) * (1 + inner);
};

/** Points that a valid operation may cost at most. Directives are not looked at: what may be skipped counts. */
export const measureCost = (given: MeasuredOperation): number =>
  new CostMeasure(given).selections(
    given.operation.selectionSet,
    given.schema.getRootType(given.operation.operation) ?? undefined,
  );
