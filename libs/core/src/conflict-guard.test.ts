import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findConflicts, mayMerge, type ConflictKind } from './conflict-guard.js';

const kindsBetween = (one: string, other: string): ConflictKind[] => findConflicts(one, other).map(({ kind }) => kind);

describe('texts that differ in substance are a conflict', () => {
  it.each<[ConflictKind, string, string]>([
    ['number', 'The API timeout is 30 s.', 'The API timeout is 60 s.'],
    ['number', 'Retry three times before giving up', 'Retry five times before giving up'],
    ['number', 'Retry 5 times after 30 seconds', 'Retry 30 times after 5 seconds'],
    ['number', 'Keep at least 90% coverage', 'Keep at least 80% coverage'],
    ['number', 'The offset is 5', 'The offset is -5'],
    ['number', 'The budget is $500 a month', 'The budget is $5,000 a month'],
    ['number', 'Allow requests with size < 10 MB', 'Allow requests with size > 10 MB'],
    ['number', '接口超时设为30秒', '接口超时设为60秒'],
    ['number', '失败后重试三次', '失败后重试五次'],
    ['number', '最多保留十二个备份', '最多保留二十个备份'],
    ['number', '覆盖率不低于百分之八十', '覆盖率不低于百分之九十'],
    ['unit', 'The cache lives 30 seconds', 'The cache lives 30 minutes'],
    ['unit', 'Uploads are limited to 10 MB', 'Uploads are limited to 10 GB'],
    ['unit', 'The link does 100 Mb/s', 'The link does 100 MB/s'],
    ['unit', '缓存有效期30秒', '缓存有效期30分钟'],
    ['unit', '令牌三天后过期', '令牌三周后过期'],
    ['version', 'Pinned to react 18.2.0', 'Pinned to react 18.3.0'],
    ['version', 'The schema is at v1.10', 'The schema is at v1.1'],
    ['version', 'Use version 2 of the protocol', 'Use version 3 of the protocol'],
    ['version', '依赖锁定在版本 4.1.2', '依赖锁定在版本 4.2.1'],
    ['negation', 'The cache is enabled by default', 'The cache is not enabled by default'],
    ['negation', 'Commit the generated files', "Don't commit the generated files"],
    ['negation', 'Use tabs, not spaces', 'Use spaces, not tabs'],
    ['negation', 'Deploy on Fridays', 'Never deploy on Fridays'],
    ['negation', 'Run it without root', 'Run it with root'],
    ['negation', '默认启用缓存', '默认不启用缓存'],
    ['negation', '周五可以部署', '周五不可以部署'],
    ['negation', '该接口有鉴权', '该接口没有鉴权'],
    ['negation', '这个字段已废弃', '这个字段未废弃'],
    ['negation', '服务是有状态的', '服务是无状态的'],
    ['negation', '请直接推送到主分支', '请勿直接推送到主分支'],
    ['negation', 'キャッシュを使う', 'キャッシュを使わない'],
    ['negation', '캐시를 사용한다', '캐시를 사용하지 않는다'],
    ['negation', 'Freitags wird deployt', 'Freitags wird nicht deployt'],
    ['negation', 'Der Dienst braucht einen Neustart', 'Der Dienst braucht keinen Neustart'],
    ['negation', 'Den Cache immer leeren', 'Den Cache niemals leeren'],
    ['negation', 'Utilisez le cache en production', "N'utilisez pas le cache en production"],
    ['negation', 'On déploie le vendredi', 'On ne déploie jamais le vendredi'],
    ['negation', 'Aucun accès direct à la base', 'Accès direct à la base'],
    ['negation', 'Se despliega los viernes', 'No se despliega los viernes'],
    ['negation', 'Hay acceso directo', 'No hay ningún acceso directo'],
    ['negation', 'Si distribuisce di venerdì', 'Non si distribuisce mai di venerdì'],
    ['negation', 'Há acesso direto', 'Não há acesso direto'],
    ['negation', 'Er is een herstart nodig', 'Er is geen herstart nodig'],
    ['negation', 'Кэш включён по умолчанию', 'Кэш не включён по умолчанию'],
    ['negation', 'ใช้แคชในระบบจริง', 'ไม่ใช้แคชในระบบจริง'],
    ['negation', '别把密钥写进仓库', '把密钥写进仓库'],
    ['negation', '別把金鑰寫進倉庫', '把金鑰寫進倉庫'],
    ['negation', '是否启用缓存：是', '是否启用缓存：否'],
    ['negation', '迁移已经完成', '迁移尚未完成'],
    ['negation', '环境变量里有密钥', '环境变量里没密钥'],
    ['negation', 'Deploy on Fridays', 'Rarely deploy on Fridays'],
    ['symbol', 'Deploy on Fridays ✅', 'Deploy on Fridays ❌'],
    ['symbol', 'Squash merges 👍', 'Squash merges 👎'],
    ['symbol', 'Squash merges 👎🏽', 'Squash merges'],
    ['symbol', 'Tabs ✔', 'Tabs ✘'],
    ['symbol', '✅ tabs ❌ spaces', '✅ spaces ❌ tabs'],
    ['symbol', 'Tabs ✅, spaces ❌', 'Spaces ✅, tabs ❌'],
    ['symbol', 'The build is 🟢', 'The build is 🔴'],
    ['symbol', '周五部署 ✅', '周五部署 ❌'],
    ['symbol', 'Data goes api → worker', 'Data goes api ← worker'],
    ['symbol', 'Data goes api -> worker', 'Data goes api <- worker'],
    ['symbol', 'api → worker', 'worker → api'],
    ['symbol', 'Fail the build if coverage < target', 'Fail the build if coverage > target'],
    ['symbol', 'Fail the build if coverage ≤ target', 'Fail the build if coverage ≥ target'],
    ['symbol', 'Fail the build if coverage < target', 'Fail the build if coverage <= target'],
    ['symbol', 'Alert when state == ready', 'Alert when state != ready'],
    ['symbol', 'Alert when state == ready', 'Alert when state ≠ ready'],
    ['symbol', 'Alert when state == ready', 'Alert when state = ready'],
    ['symbol', 'Skip when left < right', 'Skip when right < left'],
    ['symbol', 'Retry if ready && idle', 'Retry if ready || idle'],
    ['symbol', 'Retry if ready', 'Retry if !ready'],
    ['symbol', 'The total is price + discount', 'The total is price - discount'],
    ['symbol', 'The zone is UTC+2', 'The zone is UTC-2'],
    ['symbol', '+ feature flags', '- feature flags'],
    ['symbol', 'The total is price * share', 'The total is price / share'],
    ['symbol', '- [x] rotate the keys', '- [ ] rotate the keys'],
    ['symbol', 'Deploy on ~~Fridays~~', 'Deploy on Fridays'],
    ['symbol', '~~Use tabs~~ Use spaces', 'Use tabs ~~Use spaces~~'],
    ['symbol', '<del>Use tabs</del> Use spaces', 'Use tabs <del>Use spaces</del>'],
    ['opposite', 'Feature flags are enabled in tests', 'Feature flags are disabled in tests'],
    ['opposite', 'Use at least two reviewers', 'Use at most two reviewers'],
    ['opposite', 'Run lint before the build', 'Run lint after the build'],
    ['opposite', 'This helper is thread safe', 'This helper is thread unsafe'],
    ['opposite', '生产环境开启调试日志', '生产环境关闭调试日志'],
    ['opposite', '写入走同步接口', '写入走异步接口'],
    ['name', 'Billing is owned by Alice now', 'Billing is owned by Robert now'],
    ['name', 'Sessions are stored in Redis', 'Sessions are stored in Memcached'],
    ['name', 'Call parseToken before loadUser', 'Call readToken before loadUser'],
    ['name', 'Set DATABASE_URL in the job', 'Set DATABASE_HOST in the job'],
    ['name', '会话存放在 Redis 里', '会话存放在 Memcached 里'],
    ['path', 'The guard lives in src/auth/guard.ts', 'The guard lives in src/user/guard.ts'],
    ['path', 'Settings are read from config.yaml', 'Settings are read from config.json'],
    ['path', '配置写在 deploy/app.yaml 里', '配置写在 deploy/web.yaml 里'],
    ['command', 'Build with `npm run build`', 'Build with `npm run bundle`'],
    ['command', 'Publish by git push --force', 'Publish by git push'],
    ['command', 'Install with npm ci in the pipeline', 'Install with npm install in the pipeline'],
    ['command', '发布用 `make release`', '发布用 `make deploy`'],
    ['order', 'Migrate the data from mysql to postgres', 'Migrate the data from postgres to mysql'],
    ['order', 'Run tests before deploys', 'Run deploys before tests'],
    ['order', '先测试再部署', '先部署再测试'],
    ['order', 'Alice approves what Bob writes', 'Bob approves what Alice writes'],
    ['order', 'alice approves what bob writes', 'bob approves what alice writes'],
    ['order', 'The client retries and the server logs', 'The server retries and the client logs'],
    ['order', 'The billing service pays the ledger team', 'The ledger team pays the billing service'],
    ['order', 'Alice pays Bob, Bob pays Carol', 'Bob pays Alice, Bob pays Carol'],
    ['order', 'Alice reviews Bob', 'Alice is reviewed by Bob'],
    ['order', 'Alice is reviewed by Bob', 'Bob is reviewed by Alice'],
    ['order', '张飞审批关羽写的代码', '关羽审批张飞写的代码'],
    ['order', 'Redis被Postgres替换', 'Postgres被Redis替换'],
    ['wording', '✅', '❌'],
    ['wording', '🎉🎉', '😡'],
    ['wording', '!!!', '...'],
    ['wording', 'Deploy on Fridays', '👍'],
    ['wording', 'we use redis for the cache', 'we use memcached for the cache'],
    ['wording', 'retry with exponential backoff', 'retry with linear backoff'],
    ['wording', '部署由张三负责', '部署由李四负责'],
    ['wording', '数据库放在上海机房', '数据库放在北京机房'],
  ])('in a %s: %s | %s', (kind, one, other) => {
    expect(kindsBetween(one, other)).toContain(kind);
  });
});

describe('texts that say the same may merge', () => {
  it.each([
    ['The API timeout is 30 s.', 'The API timeout is 30 seconds'],
    ['Retry three times', 'Retry 3 times'],
    ['The limit is 1,000 rows', 'The limit is 1000 rows'],
    ['Pinned to react v18.2.0', 'Pinned to react 18.2.0'],
    ["We don't deploy on Fridays", 'We do not deploy on Fridays'],
    ['Never commit secrets', 'Secrets must never be committed'],
    ['Use pnpm, not npm, in this repo', 'In this repo we use pnpm, not npm'],
    ['Run the database migrations before starting the server', 'Run database migrations before you start the server'],
    ['The staging deploy needs the VPN', 'Deploying to staging requires the VPN'],
    [
      'Fixed the login redirect bug by clearing the stale cookie',
      'Login redirect bug fixed: the stale cookie is now cleared',
    ],
    ['Build with `npm run build`', 'Build with npm run build.'],
    ['Postgres keeps the sessions', 'The sessions are kept by Postgres'],
    ['Auth tokens expire after 15 minutes', 'Authentication tokens expire after 15 min'],
    ['Not only the API but also the worker reads it', 'The API and also the worker reads it'],
    ['接口超时设为30秒', '接口的超时设为 30 秒。'],
    ['接口超时设为三十秒', '接口超时设为30秒'],
    ['默认不启用缓存', '缓存默认不启用'],
    ['不要在周五部署', '禁止在周五部署'],
    ['这两个环境的配置不同', '这两个环境配置不同'],
    ['非常重要：先跑迁移', '先跑迁移，非常重要'],
    ['会话存放在Redis里', '会话存放在 redis 里'],
    ['Data goes api → worker', 'data goes: api -> worker!'],
    ['Deploy on Fridays ✅', 'deploy on Fridays ✔️'],
    ['Deploy on Fridays ✅.', '  deploy, on Fridays   ✅'],
    ['> Deploys need the VPN', 'Deploys need the VPN'],
    ['* rotate the keys', '- Rotate the keys;'],
    ['See <https://example.org/a>', 'See https://example.org/a'],
    ['The worker clears the cache', 'The cache is cleared by the worker'],
    ['The cache is enabled by default', 'By default, the cache is enabled'],
    ['Compression is on (edge nodes) - always', 'compression is on: edge nodes, always'],
    ['👍', ' 👍 '],
  ])('%s | %s', (one, other) => {
    expect(findConflicts(one, other)).toEqual([]);
  });
});

describe('for any texts', () => {
  const words = [
    'the',
    'cache',
    'not',
    'is',
    '30',
    's',
    'min',
    'v1.2',
    'src/a.ts',
    'Alice',
    '`npm ci`',
    '不',
    '启用',
    '三次',
    '✅',
    '->',
    '<',
    'by',
    'to',
    'from',
  ];
  const text = fc.oneof(
    fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((parts) => parts.join(' ')),
    fc.string({ unit: 'grapheme' }),
  );

  it('a text never conflicts with itself', () => {
    fc.assert(fc.property(text, (one) => mayMerge(one, one)));
  });

  it('it does not matter which text came first', () => {
    fc.assert(fc.property(text, text, (one, other) => mayMerge(one, other) === mayMerge(other, one)));
  });

  it('nor where their words differ in several places', () => {
    const words = fc.array(fc.constantFrom('queue', 'worker', 'store', 'red', 'blue', 'job', 'lock'), { maxLength: 9 });
    const sentence = words.map((parts) => parts.join(' '));
    fc.assert(
      fc.property(sentence, sentence, (one, other) => mayMerge(one, other) === mayMerge(other, one)),
      { numRuns: 1000 },
    );
  });

  it('another number in a sentence is always a conflict', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (one, other) => {
        fc.pre(one !== other);
        return (
          !mayMerge(`The queue holds ${one} jobs`, `The queue holds ${other} jobs`) &&
          !mayMerge(`队列容量为${one}`, `队列容量为${other}`)
        );
      }),
    );
  });

  it('another case, spacing or closing mark is never a conflict', () => {
    fc.assert(fc.property(text, (one) => mayMerge(one, `  ${one.replaceAll(' ', '   ')}`)));
  });
});

describe('a long text', () => {
  const timeOf = (unit: string, length: number, before = ''): number => {
    const text = before + unit.repeat(Math.ceil(length / unit.length));
    const started = performance.now();
    mayMerge(text, `${text} b`);
    return performance.now() - started;
  };

  it.each([
    ...[
      'a',
      'a.',
      '不',
      '1',
      '1,',
      'word ',
      '/a',
      '`a',
      "'",
      '-',
      '-b',
      'A b ',
      '千',
      '$',
      '"a',
      'not ',
      'to a ',
      '不a',
      '一百',
    ],
    ...[
      ' ',
      '1 ',
      '没有',
      'git push ',
      '`a b`',
      'ない',
      '안 ',
      'a1 ',
      '「a',
      '.',
      '没 ',
      '✅',
      '->',
      '~~a',
      '~~',
      '<',
      '+',
      '=',
      '> ',
      '[x] ',
      '<https://',
      'is by a ',
      'ไม่',
    ],
  ])('takes time in proportion to its length, repeating %j', (unit) => {
    // Eight times the text; what is quadratic takes 64 times as long, and takes it every time, whatever else runs.
    const limit = 40 * Math.max(timeOf(unit, 4096), 8);
    const isQuick = (): boolean => timeOf(unit, 32_768) < limit;
    expect(isQuick() || isQuick() || isQuick()).toBe(true);
  });

  it('takes time in proportion to its length, opening a block of code that never ends', () => {
    const limit = 40 * Math.max(timeOf('a', 4096, '```'), 8);
    const isQuick = (): boolean => timeOf('a', 65_000, '```') < limit;
    expect(isQuick() || isQuick() || isQuick()).toBe(true);
  });
});
