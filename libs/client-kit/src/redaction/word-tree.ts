/** Letters that lead to further letters; `ends` where a word is complete. */
interface Node {
  readonly next: Map<number, Node>;
  ends: boolean;
}

const newNode = (): Node => ({ next: new Map(), ends: false });

/** Until so many texts were asked about, one word after the other is quicker than to build a tree of all. */
const WORTH_A_TREE = 50;

/**
 * Whether any of many words is in a text: all are looked for at once, so that a list of a thousand costs about as much as one word.
 * Without it the rule that guesses by a name spent a third of its time on gitleaks' list.
 */
export class WordTree {
  private root: Node | null = null;
  private asked = 0;

  constructor(private readonly words: readonly string[]) {}

  isIn(text: string): boolean {
    this.asked += 1;
    if (this.asked <= WORTH_A_TREE) return this.words.some((word) => text.includes(word));
    const root = this.root ?? treeOf(this.words);
    this.root = root;
    for (let start = 0; start <= text.length; start += 1) if (beginsAt(root, text, start)) return true;
    return false;
  }
}

const beginsAt = (root: Node, text: string, start: number): boolean => {
  let node: Node | undefined = root;
  for (let at = start; node !== undefined; at += 1) {
    if (node.ends) return true;
    if (at >= text.length) return false;
    node = node.next.get(text.charCodeAt(at));
  }
  return false;
};

const treeOf = (words: readonly string[]): Node => {
  const root = newNode();
  for (const word of words) {
    let node = root;
    for (let at = 0; at < word.length; at += 1) {
      const known = node.next.get(word.charCodeAt(at)) ?? newNode();
      node.next.set(word.charCodeAt(at), known);
      node = known;
    }
    node.ends = true;
  }
  return root;
};
