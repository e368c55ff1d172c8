/** Words that turn a statement round without a negation: embeddings put "enabled" and "disabled" next to each other. */
import { stem, wordsOf } from './words.js';

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]/u;

/** A word to look for: Latin ones by their stems, others by their letters. */
interface Term {
  readonly text: string;
  readonly stems: string | null;
}

const termOf = (text: string): Term => ({
  text,
  stems: CJK.test(text) ? null : ` ${text.split(' ').map(stem).join(' ')} `,
});

const PAIRS: readonly (readonly [Term, Term])[] = [
  'enable/disable, allow/deny, allow/forbid, allow/block, accept/reject, permit/prohibit, always/never',
  'true/false, yes/no, on/off, before/after, at least/at most, minimum/maximum, min/max, increase/decrease',
  'raise/lower, more/less, more/fewer, higher/lower, larger/smaller, above/below, first/last, earlier/later',
  'sync/async, synchronous/asynchronous, public/private, internal/external, success/failure, succeed/fail',
  'pass/fail, open/close, lock/unlock, start/stop, add/remove, include/exclude, required/optional, must/may',
  'with/without, inside/outside, ascending/descending, asc/desc, upper/lower, left/right, up/down',
  'safe/unsafe, server/client, dev/prod, staging/production, development/production, local/remote',
  'input/output, import/export, request/response, parent/child, row/column, read/write, push/pull',
  'serial/parallel, mutable/immutable, manual/automatic, manually/automatically, temporary/permanent',
  'strict/loose, upgrade/downgrade, encode/decode, encrypt/decrypt, encrypted/plaintext, attach/detach',
  'mount/unmount, online/offline, primary/replica, eager/lazy, stable/unstable, keep/drop, prefer/avoid',
  'use/avoid, best/worst, fast/slow, work/break, work/broken, work/fail, pass/break, fixed/broken, help/hurt',
  '启用/禁用, 启用/停用, 開啟/關閉, 开启/关闭, 打开/关闭, 允许/禁止, 允许/拒绝, 接受/拒绝, 增加/减少',
  '提高/降低, 之前/之后, 以前/以后, 先/后, 最大/最小, 最多/最少, 至多/至少, 大于/小于, 高于/低于, 早于/晚于',
  '多于/少于, 以上/以下, 同步/异步, 成功/失败, 必须/可选, 必填/可选, 公开/私有, 内部/外部, 升级/降级',
  '添加/删除, 新增/删除, 包含/排除, 读/写, 输入/输出, 导入/导出, 本地/远程, 开发/生产, 测试/生产, 前端/后端',
  '客户端/服务端, 真/假, 始终/从不, 总是/从不, 有/无, 必须/可以, 应该/可以, 支持/拒绝, 升序/降序, 手动/自动',
  '临时/永久, 加密/明文, 串行/并行, 有効/無効, 許可/禁止, 前に/後に, 성공/실패, 허용/금지',
]
  .flatMap((line) => line.split(', '))
  .map((pair) => pair.split('/'))
  .map(([one = '', other = '']) => [termOf(one), termOf(other)] as const);

const PREFIXES = ['un', 'in', 'im', 'ir', 'il', 'dis', 'de', 'non', 'mis', 'anti', 'a'];
/** Below this a prefix is mostly chance: "put" and "input". */
const SHORTEST_ROOT = 4;

/** Opposites of which the first text says only one side and the second only the other, as `one/other`. */
export const oppositesBetween = (a: string, b: string): (readonly [string, string])[] => {
  const first = new Lexicon(a);
  const second = new Lexicon(b);
  const opposed: (readonly [string, string])[] = [];
  for (const [one, other] of PAIRS) {
    if (first.saysOnly(one, other) && second.saysOnly(other, one)) opposed.push([one.text, other.text]);
    if (first.saysOnly(other, one) && second.saysOnly(one, other)) opposed.push([other.text, one.text]);
  }
  opposed.push(...prefixed(first.missingFrom(second), second.missingFrom(first)));
  opposed.push(
    ...prefixed(second.missingFrom(first), first.missingFrom(second)).map(([one, other]) => [other, one] as const),
  );
  return opposed;
};

/** Words of one text that stand in the other with a prefix that turns them round: "safe" and "unsafe". */
const prefixed = (roots: ReadonlySet<string>, words: ReadonlySet<string>): (readonly [string, string])[] =>
  [...roots]
    .filter((root) => root.length >= SHORTEST_ROOT)
    .flatMap((root) => PREFIXES.map((prefix) => [root, prefix + root] as const))
    .filter(([, word]) => words.has(word));

class Lexicon {
  private readonly text: string;
  private readonly stems: ReadonlySet<string>;
  private readonly line: string;

  constructor(text: string) {
    this.text = text;
    const stems = wordsOf(text).map(stem);
    this.stems = new Set(stems);
    this.line = ` ${stems.join(' ')} `;
  }

  saysOnly(one: Term, other: Term): boolean {
    return this.says(one) && !this.says(other);
  }

  missingFrom(other: Lexicon): ReadonlySet<string> {
    return new Set([...this.stems].filter((word) => !other.stems.has(word)));
  }

  private says({ text, stems }: Term): boolean {
    return stems === null ? this.text.includes(text) : this.line.includes(stems);
  }
}
