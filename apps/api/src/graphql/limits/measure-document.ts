import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/** How large one operation is once its fragments are put in their places. */
export interface DocumentSize {
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
  readonly fields: number;
  /** How often `related` stands inside itself, plus one: each level multiplies an answer by ten. */
  readonly related: number;
}

type Measured = DocumentSize;
const NOTHING: Measured = { depth: 0, aliases: 0, directives: 0, fields: 0, related: 0 };

const add = (a: Measured, b: Measured): Measured => ({
  depth: Math.max(a.depth, b.depth),
  aliases: a.aliases + b.aliases,
  directives: a.directives + b.directives,
  fields: a.fields + b.fields,
  related: Math.max(a.related, b.related),
});

/**
 * Measures with every fragment counted where it is spread, each measured once, so that fragments nested in fragments
 * cannot make the measuring itself slow. A cycle counts as infinitely deep. No fragment is excused by its name.
 */
class Measure {
  private readonly known = new Map<string, Measured>();
  private readonly open = new Set<string>();

  constructor(
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    private readonly isFree: (rootField: string) => boolean,
  ) {}

  operation(node: OperationDefinitionNode): Measured {
    const size = this.selections(node.selectionSet, true);
    return { ...size, directives: size.directives + (node.directives?.length ?? 0) };
  }

  private selections({ selections }: SelectionSetNode, isRoot = false): Measured {
    return selections.reduce<Measured>((sum, node) => {
      const own = { ...NOTHING, directives: node.directives?.length ?? 0 };
      if (node.kind === Kind.FRAGMENT_SPREAD) return add(add(sum, own), this.fragment(node.name.value, isRoot));
      if (node.kind === Kind.INLINE_FRAGMENT) return add(add(sum, own), this.selections(node.selectionSet, isRoot));
      if (isRoot && this.isFree(node.name.value)) return sum;
      const inner = node.selectionSet === undefined ? NOTHING : this.selections(node.selectionSet);
      const related = inner.related + (node.name.value === 'related' ? 1 : 0);
      const aliases = node.alias === undefined ? 0 : 1;
      const field = { depth: inner.depth + 1, aliases, directives: 0, fields: 1, related };
      return add(add(sum, own), add(field, { ...inner, depth: 0 }));
    }, NOTHING);
  }

  private fragment(name: string, isRoot: boolean): Measured {
    const key = `${isRoot ? 'root' : 'inner'} ${name}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const node = this.fragments.get(name);
    if (node === undefined) return NOTHING;
    if (this.open.has(name)) return { ...NOTHING, depth: Number.POSITIVE_INFINITY };
    this.open.add(name);
    const size = this.selections(node.selectionSet, isRoot);
    this.open.delete(name);
    this.known.set(key, size);
    return size;
  }
}

/**
 * The size of the largest operation of a document.
 * @param isFree root fields that do not count (introspection, where it is allowed: tools ask deeply)
 */
export const measureDocument = (document: DocumentNode, isFree: (rootField: string) => boolean): DocumentSize => {
  const fragments = new Map<string, FragmentDefinitionNode>();
  const operations: OperationDefinitionNode[] = [];
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
    if (node.kind === Kind.OPERATION_DEFINITION) operations.push(node);
  }
  const measure = new Measure(fragments, isFree);
  return operations.map((node) => measure.operation(node)).reduce(add, NOTHING);
};
