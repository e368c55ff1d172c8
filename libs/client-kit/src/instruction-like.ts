import { withoutHiddenCharacters } from './untrusted-text.js';

/*
 * Whether a text reads as an order to the agent that will read it, instead of something to know (docs/design.md M1). Such a text is
 * kept and found like any other, but is never put before an agent unasked and never shared by itself. A help, not a proof: it knows
 * the ways in which memories were poisoned so far, in the languages in which that was seen.
 */

/** Longer texts are read at both ends, where such orders stand. */
const READ = 16_384;

// Gaps are bounded and hold no full stop, so that each pattern is linear and stays within one sentence.
const ENGLISH = [
  /\b(?:ignore|disregard|forget|override|bypass|discard)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|preceding|foregoing|your|system|initial|original)\b[^.\n]{0,30}\b(?:instructions?|prompts?|rules|guidelines?|directives?|constraints|messages?|training)\b/,
  /\b(?:ignore|disregard|forget)\b[^.\n]{0,20}\b(?:all|any|everything)\b[^.\n]{0,20}\b(?:instructions?|prompts?|directives?|guidelines?|told|above)\b/,
  /\byou are (?:now|no longer)\b[^.\n]{0,40}\b(?:assistant|ai|model|chatbot|agent|dan|jailbroken|unrestricted|developer mode|bound by)\b/,
  /\b(?:reveal|print|repeat|show|output|leak)\b[^.\n]{0,20}\byour\b[^.\n]{0,20}\b(?:system prompt|instructions|secrets?|api keys?|credentials)\b/,
  /\b(?:your )?new (?:instructions|system prompt|orders)\b ?(?:are|is|:)/,
  /\bfrom now on,? you (?:must|will|shall|are|should)\b/,
  /\b(?:do not|don't|never) (?:tell|inform|alert|mention (?:this|it) to|reveal (?:this|it) to) the (?:user|human|operator|developer)\b/,
  /(?:^|\n)\W{0,6}(?:system|assistant|developer)(?: prompt| message| override| note)?\W{0,4}[:：] ?(?:you|ignore|disregard|from now|do not|never|always|execute|run)\b/,
];

const OTHER_LANGUAGES = [
  /(?:忽略|无视|無視|忽视|忽視|忘记|忘記|忘掉|不要理会|不要遵守)[^。\n]{0,12}(?:之前|以前|以上|先前|前面|上述|所有|一切|全部|系统|系統|你的)[^。\n]{0,12}(?:指令|指示|提示|规则|規則|命令|要求|说明|說明)/,
  /(?:以前|これまで|今まで|上記|前|すべて|全て|全)の?[^。\n]{0,6}(?:指示|命令|プロンプト|ルール|指令)[^。\n]{0,10}(?:無視|忘れ)/,
  /(?:이전|위|앞선|지금까지|모든)[^.\n]{0,12}(?:지시|명령|프롬프트|지침|규칙)[^.\n]{0,10}(?:무시|잊)/,
  /(?:ignorier|vergiss|missacht)[^.\n]{0,40}(?:anweisung|instruktion|vorgabe|befehl|regel|prompt)/,
  /(?:ignore|oublie)[^.\n]{0,30}(?:instructions?|consignes?|directives?|règles)[^.\n]{0,25}(?:pr[ée]c[ée]dent|ci-dessus|ant[ée]rieur)/,
  /(?:ignor[ae]|olvid[ae])[^.\n]{0,30}(?:instrucciones|indicaciones|[óo]rdenes|reglas)[^.\n]{0,25}(?:anterior|previ|de arriba)/,
  /(?:ignor[ea]|esque[çc]a)[^.\n]{0,30}(?:instru[çc][õo]es|ordens|regras)[^.\n]{0,25}(?:anterior|acima|pr[ée]vi)/,
  /(?:ignora|dimentica)[^.\n]{0,30}(?:istruzioni|indicazioni|regole)[^.\n]{0,25}(?:precedent|sopra)/,
  /(?:negeer|vergeet)[^.\n]{0,30}(?:instructies|opdrachten|regels)/,
  /(?:zignoruj|ignoruj|zapomnij)[^.\n]{0,40}(?:instrukcj|polece|zasad)/,
  /(?:игнорируй|проигнорируй|забудь|не обращай внимания)[^.\n]{0,40}(?:инструкци|указани|команд|правил|промпт)/,
  /(?:ігноруй|забудь)[^.\n]{0,40}(?:інструкці|вказівк|команд)/,
  /(?:önceki|yukarıdaki|tüm)[^.\n]{0,30}(?:talimat|komut|yönerge)[^.\n]{0,20}(?:yok say|görmezden|unut|dikkate alma)/,
  /(?:bỏ qua|quên)[^.\n]{0,30}(?:hướng dẫn|chỉ dẫn|lệnh|quy tắc)/,
  /(?:abaikan|lupakan)[^.\n]{0,30}(?:instruksi|perintah|arahan|aturan)/,
  /(?:تجاهل|انس)[^.\n]{0,40}(?:التعليمات|تعليمات|الأوامر|القواعد)/,
  /(?:התעלם|תתעלם|שכח)[^.\n]{0,40}(?:ההוראות|הוראות|הפקודות)/,
  /(?:निर्देशों|आदेशों|निर्देश)[^।\n]{0,30}(?:अनदेखा|नज़रअंदाज़|भूल)/,
  /(?:เพิกเฉย|ละเว้น|ลืม)[^\n]{0,40}(?:คำสั่ง|คำแนะนำ)/,
];

/** What only a client or a model writes: its tags, its turns, its calls of tools. */
const IMITATIONS = [
  /[<＜]\s{0,3}[|/]?\s{0,3}(?:system(?:-reminder|-prompt|_prompt)?|assistant|human|im_(?:start|end)|tool_(?:use|calls?|results?)|function_(?:calls?|results?)|antml:[a-z_]{1,30}|invoke|developer|instructions?)(?:[\s>＞|:]|$)/,
  /\[\/?(?:inst|sys)\]|<<\/?sys>>/,
  /"(?:type|role)"\s{0,5}:\s{0,5}"(?:tool_use|tool_result|function_call|system)"/,
  /"(?:tool_calls|function_call)"\s{0,5}:\s{0,5}[[{]/,
];

const PATTERNS = [...ENGLISH, ...OTHER_LANGUAGES, ...IMITATIONS];

/** Both ends of a long text, as a reader would see it: without what is invisible, in one width and one case. */
const asRead = (text: string): string => {
  const read = text.length <= 2 * READ ? text : `${text.slice(0, READ)}\n${text.slice(-READ)}`;
  return withoutHiddenCharacters(read)
    .normalize('NFKC')
    .replace(/[^\S\n]+/gu, ' ')
    .toLowerCase();
};

/** Whether a text reads as an order to whoever's agent reads it. */
export const readsLikeInstruction = (text: string): boolean => {
  const read = asRead(text);
  return PATTERNS.some((pattern) => pattern.test(read));
};
