import { describe, expect, it } from 'vitest';
import { chooseEncoders } from './choose-encoders.js';

const EN = 'bge-small-en-v1.5';
const ZH = 'bge-small-zh-v1.5';

describe('the encoders of a text', () => {
  it.each([
    ['English prose', 'Roll back with helm', [EN]],
    ['another language in Latin letters', 'Wir liefern freitags nicht aus', [EN]],
    ['code alone', 'processOrder() 42', [EN]],
    ['no letters at all', '12:30 !!!', [EN]],
    ['Chinese prose', '部署使用 helm', [ZH]],
    ['an identifier inside Chinese', '重跑gen-itgc后需要清缓存，见 src/main.ts', [ZH]],
    ['Japanese', '本番環境へのデプロイは金曜日に行わない', [ZH]],
    ['a Chinese name inside English', 'The service was renamed to 网关 by the platform team last week', [EN]],
    [
      'two sentences, one in each',
      'The gateway drops idle connections after a minute. 网关会在一分钟后断开空闲连接。',
      [EN, ZH],
    ],
    ['Korean, which neither reads', '금요일에는 운영 환경에 배포하지 않기로 했다', []],
    ['Russian, which neither reads', 'По пятницам в продакшен не выкладываем', []],
  ])('%s', (_, text, expected) => {
    expect(chooseEncoders(text)).toEqual(expected);
  });

  it('does not take long for hostile texts', () => {
    const start = performance.now();
    for (const text of ['Aa'.repeat(32_768), `${'a'.repeat(65_535)}1`, '_a'.repeat(32_768), '中a'.repeat(20_000)])
      chooseEncoders(text);
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});
