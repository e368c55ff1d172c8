/** The words by which people show that they prefer, decide, put off, put right or state something, in English and Chinese. */
import type { FactKind } from './conversation.js';

/** Who said it: the person, or the agent, of whom only what it did and found counts. */
export type Side = 'prompt' | 'answer';

interface Cue {
  readonly kind: FactKind;
  readonly pattern: RegExp;
  readonly sides: readonly Side[];
  /** It counts only if the other side agrees next. */
  readonly isProposal?: boolean;
}

const PERSON: readonly Side[] = ['prompt'];
const BOTH: readonly Side[] = ['prompt', 'answer'];
const AGENT: readonly Side[] = ['answer'];

const cue = (kind: FactKind, sides: readonly Side[], ...patterns: readonly RegExp[]): Cue[] =>
  patterns.map((pattern) => ({ kind, pattern, sides }));

const CHOOSE =
  'use|using|go with|stick (?:with|to)|keep|switch to|move to|adopt|drop|remove|replace|store|deploy|host|run|build|target|support|expose|avoid|not';

/** In order: the first that fits tells the kind. */
export const CUES: readonly Cue[] = [
  ...cue(
    'correction',
    PERSON,
    /^(?:(?:no|nope)(?=\s*[,.;!—–-])|wrong|incorrect|actually|not quite|correction|that(?:'s| is) (?:not (?:right|correct|true|what)|wrong|incorrect)|you(?:'re| are) wrong)\b\s*[,:;.!—–-]?\s*\S/i,
    /^(?:不对|不是(?:这样|的)|错了|更正|纠正|说错了|其实(?!.*吗)|应该是)[，,：:。！! ]?/u,
    /\b(?:i|we) (?:was|were) wrong\b|\bit(?:'s| is) (?:actually|not \S+ but)\b/i,
  ),
  ...cue(
    'todo',
    PERSON,
    /\b(?:todo|to-do|fixme|action items?|follow-?ups?)\b\s*[:：]/i,
    /\b(?:don't|do not|let's not|never) forget (?:to|about|that)\b|\bremind (?:me|us) to\b/i,
    /\b(?:we|i|you)(?:'ll| will)? (?:still |also )?(?:need|have|want|ought) to\b.{3,200}\b(?:later|afterwards|eventually|tomorrow|next (?:week|sprint|month|time)|once|before|when)\b/i,
    /\b(?:still|yet) (?:need|have) to\b|\b(?:still|remains? to be|left to) (?:missing|done|do|be done)\b|\bstill (?:open|missing|pending)\b/i,
    /\b(?:later|tomorrow|tonight|this afternoon|next (?:week|sprint|month)|in a (?:separate|follow-up|later) (?:pr|change|issue|commit)),? (?:we|i)(?:'ll| will| should| can)?\b/i,
    /\b(?:we|i)(?:'ll| will| should| can| plan to| am going to|'m going to)\b.{3,200}\b(?:later|tomorrow|tonight|this (?:afternoon|evening|week|sprint)|by (?:\p{L}+day|tomorrow|the end)|next (?:week|sprint|month)|in a (?:separate|follow-up|later) (?:pr|change|issue|commit))\b/iu,
    /\b(?:planning|plan|plans) (?:to|for)\b.{3,200}\b(?:next|tomorrow|later|by)\b/i,
    /(?:待办|TODO|待(?:补|定|完善|确认|处理|解决))|(?:别|不要|勿)忘了?|记得(?:要)?(?:帮|把|补|加|改|更新|处理|检查)/u,
    /(?:后续|之后|回头|稍后|晚点|晚些|明天|明早|今晚|下周|下次|下午|月底|有空)(?:再|要|得|会|需要|来|先|我|给|把|补|加|做|出|提交|发|跑|开|规划|可)/u,
    /(?:我|我们|咱们)(?:.{0,12})(?:今天内|今晚|明天|下周|本周|这周|稍后|晚点|之后|后续|月底).{2,}/u,
    /(?:还|仍)(?:缺|差|没有?做|未做|没处理|要补|需要?补)|(?:需补|需要补)[:：]?|后面(?:再)?补/u,
  ),
  ...cue(
    'preference',
    PERSON,
    /\b(?:i|we)(?:'d| would)? (?:much |really |strongly |always |usually |generally )*(?:prefer|rather)\b/i,
    /\b(?:i|we) (?:always|never|usually|generally) (?:want|use|like|write|put|run|do|commit|expect)\b/i,
    /\b(?:i|we) (?:really |strongly )?(?:like|love|hate|dislike|can't stand) (?:it )?(?:when|if|to|short|long|small|plain)\b/i,
    /^(?:please |and |also |but |so )*(?:always|never|don't ever|do not ever)\s+\p{L}+/iu,
    /\b(?:from now on|going forward|in (?:the )?future|as a rule|in general|by convention)\b/i,
    /^(?:please |and |also |but )*(?:don't|do not|stop|avoid|no)\b.{3,200}\b(?:ever|anywhere|any ?more|again|unless|whenever|every|in (?:all|any|general|tests?|this (?:repo|project|codebase))|at all)\b/i,
    /^(?:以后|今后|从现在开始|从今以后|往后)|(?:以后|今后)(?:都|请|不要|别|一律|要)/u,
    /^(?:请)?(?:总是|始终|永远|每次都?|一律|尽量)(?:不要|别|用|使用|先|要|把)?/u,
    /我(?:们)?(?:更)?(?:喜欢|偏好|习惯|倾向于?|讨厌|不喜欢)/u,
    /^(?:请|麻烦)?(?:不要|别|请勿)(?:再|用|使用|加|写|改|提交|自动|直接|随便)/u,
    /^请(?:用|使用|统一|保持|以)\S/u,
  ),
  ...cue(
    'decision',
    BOTH,
    /\b(?:we|i)(?:'ve| have)? (?:finally |now |already |just )?(?:decided|agreed|settled on|chose|opted|standardi[sz]ed on|picked)\b/i,
    /^(?:decision|decided|agreed|resolution|solution(?: approach)?|conclusion|fix)\s*[:：]\s*\S/i,
    /(?:决定|敲定|选定|定下来|结论)(?:[:：了是用]|\S)|^(?:解决)?(?:思路|方案)[:：]/u,
  ),
  ...cue(
    'decision',
    PERSON,
    new RegExp(`\\blet(?:'s| us) (?:just |instead |please )*(?:${CHOOSE})\\b`, 'i'),
    new RegExp(
      `\\bwe(?:'ll| will| are going to|'re going to| should| shall| must) (?:just |only |not |always )*(?:${CHOOSE})\\b`,
      'i',
    ),
    /\b(?:i'll|i will|i'm going to) (?:just |only )?(?:use|go with|stick with|keep|switch to)\b/i,
    /\b(?:use|using|choose|take|with|prefer)\b.{2,120}\b(?:instead of|rather than|in place of|over)\b/i,
    /\b(?:instead of|rather than)\b.{2,120}\b(?:use|we|let's|go)\b/i,
    /\bwe (?:explicitly |definitely |really |only |just |absolutely )*(?:want|need|require)\b(?! to (?:know|see|understand|talk|check))/i,
    /\bwe (?:explicitly |definitely |really )*(?:don't|do not|won't|will not) (?:want|need|use|support|do|ship|allow|plan)\b/i,
    /\bwe do \S+-first\b|\b\S+-first\b/i,
    /^(?!(?:i|you|we|he|she|they)\b).{2,160}\b(?:must|needs? to be|has to be|have to be|is required|are required|is mandatory|are mandatory|is not allowed|are not allowed|must not)\b/i,
    /\b(?:is|are|stays?|remains?) (?:locked|frozen|fixed|limited|capped)\b|\b(?:feature|code) freeze\b|\blocked to\b/i,
    /\bdefault(?:s)? (?:is|are|to|stays?|remains?)\b|\b(?:is|as) the default\b/i,
    /\b(?:will not|won't|not going to|let's not)\b.{3,160}\b(?:for now|yet|in (?:the )?(?:first|this|v\d))\b|^(?:the )?(?:first|this|next) (?:phase|version|release|iteration) (?:will|won't|does)\b/i,
    /\bset(?:ting)? the (?:metrics|criteria|standards?|targets?|thresholds?) first\b|^(?:acceptance )?(?:criteria|metrics|standards)\b.{0,40}[:：]/i,
    /(?:改用|改为|改成|采用|选用|换成|换用|切换(?:到|为|成)|迁移到|统一(?:用|为|成|使用)|弃用|放弃|不再(?:用|使用|支持)|而不是|代替|取代)/u,
    /(?:必须|一律|强制|禁止|严禁|不允许|不得|只能|仅(?:用|支持|限)|不依赖)/u,
    /(?:锁定|锁一版|冻结|默认(?!值是多少)(?:是|为|用|不|关闭|开启|折叠|展示|[\p{Script=Han}]))/u,
    /(?:第[一二三]期|本期|一期|MVP)(?:先|不|只)|先不(?:做|接|上|考虑|支持)|(?:口径|指标|标准|目标)先定|先定(?:[:：]|\d)/u,
    /(?:^|[，,；;：:\p{Script=Han}])(?:就|都|先|还是|全部)用(?:[A-Za-z]|\p{Script=Han})/u,
    /\p{Script=Han}用[A-Z][A-Za-z0-9.+-]+/u,
    /(?:TTL|阈值|超时|上限|topK|温度|权重)\S{0,8}(?:(?<![搞稳])定|设为|设成|改|→|从|维持|保持)/iu,
  ),
  ...cue(
    'decision',
    AGENT,
    /^(?:changed|switched|moved|migrated|replaced|now using|updated to use|converted)\b.{3,200}\b(?:to|with|from|instead|using)\b|^now using\b/i,
    /\bI(?:'ve| have)? (?:replaced|switched|migrated|changed)\b.{3,200}\b(?:with|to|from|instead)\b/i,
    /^(?:已(?:将|把)|现已|现在)\S.{0,60}(?:改为|改成|替换为|换成|切换到|迁移到)/u,
  ),
  ...[
    "i(?:'d| would)? (?:recommend|suggest|propose)",
    'my recommendation (?:is|:)',
    '(?:我)?(?:建议|推荐)(?!.*吗)',
  ].map((words): Cue => ({
    kind: 'decision',
    sides: BOTH,
    isProposal: true,
    pattern: new RegExp(`(?:^|[,，；;：:] ?)${words}`, 'iu'),
  })),
  ...cue(
    'background',
    PERSON,
    /^(?:current(?:ly)? (?:method|setup|stack|approach|architecture|state)|source data|tech(?:nical)? stack|architecture|environment|background|context|constraints?|requirements?|goals?|assumptions?)\b.{0,40}[:：]\s*\S/i,
    /\b(?:root cause|(?:issue|problem) \d cause)\b|\b(?:was|is|were|are) caused by\b|\bturns out\b/i,
    /^(?:the|our|this) (?:\S+ ){0,4}(?:project|repo(?:sitory)?|service|app(?:lication)?|api|team|database|db|server|cluster|pipeline|backend|frontend|client|build|deployment|production|staging|schema|queue|cache|logs?|code(?:base)?)(?: \S+){0,3} (?:is|are|uses?|runs?|lives?|has|have|stores?|depends?|listens?|expects?|requires?|sits?)\b(?! (?:now )?(?:up|running|clean|stable|ready|done|fine|ok|okay|good|working|complete[d]?|prepared|going|online|live|not|also|been|created)\b)/i,
    /\bwe (?:currently |already |mostly |only )?(?:use|run|host|deploy|store|keep|build|ship|have)\b(?! to\b)/i,
    /^(?:note|remember|keep in mind|fyi|for (?:context|background))\b[,:]?(?: that)? \S/i,
    /\b(?:is|are) (?:fully |completely )?(?:separable|separate|independent|decoupled) (?:from|of)\b/i,
    /(?:当前|目前|现有)(?:的)?(?:方法|方案|架构|环境|技术栈|版本|做法|策略)|(?:源头?数据|技术栈|架构|环境|背景|约束|前提|数据来源)[:：]/u,
    /(?:根本)?原因(?:[:：是在]|\d[:：])|是因为|(?:导致|引起)的/u,
    /(?:我们|项目|服务|系统|数据库|后端|前端|仓库|团队)(?:目前|现在|主要|都|统一)?(?:用的?是|使用|跑在|部署在|基于|运行在|依赖)/u,
    /(?:法务|合规|客户|老板|产品|安全)(?:\S{0,4})(?:要求|来信|规定)/u,
  ),
];

/** What the speaker takes on: a todo where several people write, since others will ask who does it. */
export const COMMITMENT =
  /^(?:i(?:'ll| will| am going to|'m going to)) (?!be\b|see\b|look\b|check\b|watch\b|try\b|do\b)\p{L}+|^(?:我(?:来|补|加|做|出|写|整理|更新|负责|先)(?!了|充)|\S{1,12}我来)/iu;

/** What makes a statement none: the speaker does not know, or only thinks aloud. */
export const HEDGED =
  /\b(?:maybe|perhaps|possibly|probably|might|could be|not sure|don't know|do not know|no idea|i guess|kind of feel|i bet|i wonder|wondering|presumably|feels? (?:like|implausible)|potential(?:ly)?|one option|seems? like|would be nice|if (?:you|we|i) (?:want|like|could|were)|if there (?:are|is) any)\b|(?:也许|可能|大概|或许|不确定|不知道|好像|说不定|估计|考虑(?:加|做|一下)|是不是|要不)/iu;

/** What is done with the next message, and what belongs to no work: nobody asks for it later. */
export const SMALL_TALK =
  /\b(?:i'll|i will|let me) (?:also |first |just )?(?:send|report|note|take|share|give|join|come|post|paste|forward|bring)\b|\b(?:lunch|dinner|coffee|restaurant|doctor|clinic)\b|(?:我|晚点|稍后|下午|今晚)(?:我)?(?:先|再|也)?(?:发|给你|贴|记上|记下|同步你|带)|吃饭|聚餐|食堂|咖啡|零食|诊所/iu;

/** Ends with a question mark, or begins as questions do. */
export const QUESTION =
  /[?？]["”』」)）]?\s*(?:@\S+\s*)?$|(?:吗|呢|嘛|么)[。.！!]?$|^(?:what|why|how|when|where|who|which|can (?:you|we|i)|could you|would you|do (?:you|we)|does|did|is (?:there|it|this)|are (?:there|you)|should (?:we|i)|shall we|will (?:it|you|that))\b(?!.*[.!。]$)|^(?:请问|问下|问一下|我问|什么|怎么|为什么|为何|如何|是否|能否|可否|有没有|要不要)/iu;

/** Agreement with what was said before. */
export const AGREEMENT =
  /^(?:(?:ok(?:ay)?|yes|yep|yeah|sure|agreed?|sounds good|perfect|great|go (?:ahead|with|for)|do (?:it|that)|exactly|right|correct|lgtm|👍)\b|同意|赞同|好(?:的|啊|，|。|$)|可以|行(?:，|。|$)|没问题|就这样|对(?:，|。|$)|认同|嗯|OK)/iu;

/** Takes back what was decided before. */
export const TAKES_BACK =
  /^(?:(?:no|actually|wait|hm+|oh),? )?(?:scrap (?:that|it)|never ?mind|forget (?:that|it|about)|revert (?:that|it)|undo (?:that|it)|cancel that|let's not do that)\b|^(?:算了|不用了|作废|撤回|当我没说)/iu;

/** Something put aside, and what it was: "instead of X", "no longer X", "不用X". */
export const PUT_ASIDE =
  /(?:instead of|rather than|no longer (?:use|using|want|need)?|stop using|stopped using|drop(?:ping|ped)?|remov(?:e|ed|ing)|replac(?:e|ed|ing)|revert(?:ed)?|not|away from|get rid of)\s+((?:the |using |a |an |our )*[\p{L}\p{N}_.@/-]+(?: [\p{L}\p{N}_.@/-]+){0,2})|(?:而不是|不再用|不再使用|不用|弃用|放弃|取代|代替|替换掉?|去掉|移除)\s*([\p{L}\p{N}_.@/-]{2,24})/giu;

/** Says that something is done. */
export const DONE =
  /\b(?:done|finished|completed?|implemented|built|fixed|added|merged|deployed|published|shipped|created|set up|in place|now (?:works|passes|live)|is live|went live|passed|wired (?:up|everything))\b|(?:完成|已上|已上线|上线了|搞定|修好|做好|已经?(?:加|补|改|做|写|发|建|修|接入|更新|支持)|通过|发了|补齐了|接入了|生效)/iu;

const SUCCESS =
  /\b(?:all (?:\S+ ){0,3}(?:tests? )?(?:are |now )*(?:pass(?:ing|ed)?|green)|(?:is|are) (?:now )?(?:passing|fixed|working|complete|done|up to date|ready)|fixed!?|completed?|successfully|build successful|done!?|works now|ready to)\b|(?:完成|通过|成功|修复了?|已修|搞定|达标|闭环)|(?:しました|完了)/iu;
const FAILURE =
  /\b(?:still (?:fails?|failing|broken|not working)|(?:could not|couldn't|cannot|can't|unable to) (?:fix|get|make|find|reproduce|complete)|gave up|did(?:n't| not) work|persistent (?:issue|problem|error))\b|(?:仍然?(?:失败|报错|不行)|没能|无法(?:修复|完成)|还是(?:失败|报错|不行))/iu;
const PARTIAL =
  /\b(?:partially|partly|only (?:one|two|some) (?:\S+ )?(?:tests? )?(?:is|are) (?:still )?failing|remaining|if this still fails|except for|not yet|still need)\b|(?:部分|还剩|尚未|暂未)/iu;

/** How work ended by the words of who did it; null where they do not say. */
export const outcomeIn = (text: string): 'success' | 'partial' | 'failure' | null => {
  if (FAILURE.test(text)) return SUCCESS.test(text) ? 'partial' : 'failure';
  if (SUCCESS.test(text)) return PARTIAL.test(text) ? 'partial' : 'success';
  return PARTIAL.test(text) ? 'partial' : null;
};

/** "X - fixed by Y": an error and what put it right. */
export const FIXED_BY =
  /^(.{12,240}?)\s*(?:[-–—,;:.(]+\s*|\band (?:was |were )?)(?:it was |this was |was |were )?(?:fixed|resolved|solved|worked around) (?:it )?by (.{8,240})$/i;
/** "The issue was X." before what was changed. */
export const CAUSE_NAMED =
  /\b(?:the (?:issue|problem|bug|error|cause|culprit|failure) (?:was|is)|root cause(?: was| is)?:?|(?:failed|failing|broke|broken) because)\s+(.{8,300})$|(?:问题|原因|根因)(?:是|在于|：|:)\s*(.{6,200})$/iu;
/** What was done about it, said after the cause. */
export const REMEDY =
  /^(?:(?:i(?:'ve| have)?|we(?:'ve| have)?) )?(?:(?:just |now |also )?(?:changed|switched|updated|replaced|added|moved|removed|set|pinned|used|upgraded|downgraded|increased|reduced|cleared|rewrote|wrapped|fixed it by)|(?:the )?(?:fix|solution|workaround)(?: is| was|:))\s*.{6,300}$|^(?:我)?(?:已|把|将|改|加了|换|清理|调整|修复)\S.{4,200}$/iu;
