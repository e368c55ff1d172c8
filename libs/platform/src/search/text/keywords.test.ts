import { describe, expect, it } from 'vitest';
import { bm25 } from './bm25.js';
import { toKeywords } from './keywords.js';
import { questionTerms } from './question-terms.js';

const termsOf = (text: string): string[] => [...toKeywords(text).terms.keys()];

/** Texts in order of the keyword leg alone. */
const search = (question: string, texts: readonly string[]): string[] => {
  const documents = texts.map((text) => ({ text, ...toKeywords(text) }));
  const averageLength = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const scored = documents.map(({ text, terms, length }) => {
    const score = questionTerms(toKeywords(question)).reduce((sum, term) => {
      const documentFrequency = documents.filter((document) => document.terms.has(term)).length;
      const tf = terms.get(term) ?? 0;
      return sum + bm25({ tf, length, averageLength, documentFrequency, documents: documents.length });
    }, 0);
    return { text, score };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ text }) => text);
};

describe('the terms of a text', () => {
  it('are the same for a code identifier asked for whole, in parts, or in another spelling', () => {
    const terms = termsOf('src/payments/OrderService.ts calls processOrder and retry_count in v1.2.3');
    expect(terms).toEqual(
      expect.arrayContaining([
        'src/payments/orderservice.ts',
        'orderservice.ts',
        'order',
        'servic',
        'process',
        'retry_count',
        'retri',
        'v1.2.3',
      ]),
    );
    expect(terms).toEqual(expect.arrayContaining(termsOf('processOrder')));
    expect(termsOf('HTTPServer')).toEqual(expect.arrayContaining(termsOf('http server')));
    expect(termsOf('utf8')).toEqual(expect.arrayContaining(termsOf('utf 8')));
    expect(termsOf('app\\main.go')).toEqual(expect.arrayContaining(termsOf('app/main.go')));
  });

  it('forget case, accents, endings and width', () => {
    expect(termsOf('Deployments')).toEqual(termsOf('deployment'));
    expect(termsOf('Café')).toEqual(termsOf('cafe'));
    expect(termsOf("the team's")).toEqual(termsOf('the team'));
    expect(termsOf('ＡＰＩ')).toEqual(termsOf('api'));
  });

  it('keep languages whose names end in signs apart', () => {
    expect(termsOf('C++')).toContain('c++');
    expect(termsOf('C#')).toContain('c#');
    expect(termsOf('C')).not.toContain('c++');
  });

  it('count occurrences and the length', () => {
    const { terms, length } = toKeywords('cache miss, cache hit');
    expect(terms.get('cach')).toBe(2);
    expect(length).toBe(4);
  });

  it('are none for signs, NUL, lone surrogates and emptiness', () => {
    for (const text of ['', ' \n', '!!! --- ###', '\0', '\ud800', '🙂']) expect(termsOf(text)).toEqual([]);
  });
});

describe('the keyword leg alone', () => {
  const notes = [
    '用户身份验证失败时返回四零一',
    '重跑gen-itgc后需要清缓存',
    'しりとりゲームの得点の計算を直した',
    '끝말잇기 게임의 점수 계산을 고쳤다',
    '部署之前必须先执行数据库迁移',
    'デプロイは金曜日に行わない',
    '금요일에는 배포하지 않는다',
  ];

  it.each([
    ['身份验证', 0],
    ['itgc', 1],
    ['gen-itgc', 1],
    ['しりとり', 2],
    ['끝말잇기', 3],
    ['迁移', 4],
    ['金曜', 5],
    ['배포', 6],
  ])('finds %s at the first place', (question, index) => {
    expect(search(question, notes)[0]).toBe(notes[index]);
  });

  it('prefers neighbouring characters to the same ones apart', () => {
    expect(search('验证', ['证书考验', '验收凭证', '需要验证'])[0]).toBe('需要验证');
  });

  it('finds a question of function words only', () => {
    expect(search('the who', ['The Who played here', 'Redis cache'])).toEqual(['The Who played here']);
  });
});

describe('hostile texts of 64 KiB', () => {
  const size = 65_536;
  it.each([
    ['one word', 'a'.repeat(size)],
    ['dotted', 'a.'.repeat(size / 2)],
    ['signs', '-'.repeat(size)],
    ['quotes', "a'".repeat(size / 2)],
    ['humps', 'aB'.repeat(size / 2)],
    ['marks', `a${'\u0301'.repeat(size / 2)}`],
    ['expanding', '\ufdfa'.repeat(size / 3)],
    ['ideographs', Array.from({ length: 21_000 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('')],
    ['distinct words', Array.from({ length: 9_000 }, (_, index) => `w${index.toString(36)}`).join(' ')],
  ])('%s: few terms in bounded time', (_, text) => {
    const start = performance.now();
    expect(toKeywords(text).terms.size).toBeLessThanOrEqual(20_000);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});
