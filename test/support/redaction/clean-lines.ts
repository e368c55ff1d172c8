/** What people and agents write and what is near to a secret without being one: names of things, digests, places for secrets. */
export const CLEAN_LINES: readonly string[] = `
The token bucket refills at 50 points per second and holds 500.
Password reset mails are sent by the worker, never by the API.
api_key = os.environ["API_KEY"]
const secret = process.env.SESSION_SECRET ?? '';
Set API_TOKEN in .env; the example file has a placeholder.
export DATABASE_URL=postgres://\${DB_USER}:\${DB_PASSWORD}@localhost:5432/app
DATABASE_URL: postgres://<user>:<password>@<host>/<db>
git checkout 9fceb02d0ae598e95dc970b74767f19372d61af8
commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904 removed the cache
session 550e8400-e29b-41d4-a716-446655440000 was closed by the client
memory 0190a2f3-5c1e-7cc3-98c4-dc0c0c07398f is the one we mean
sha512-abc is what the lockfile calls an integrity field
docker pull postgres:18.1@sha256
The access key is rotated every 90 days by the platform team.
We authenticate with OIDC; the client id is public.
key: value pairs in YAML need a space after the colon
primary key (tenant_id, id), foreign key to memory
The keyboard shortcut is ctrl+shift+k.
secretKeyRef: name: tempera-secrets, key: postgres-url
A monkey patch in tokenizers.py changed how tokens are counted.
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
curl -H "Authorization: Bearer $TOKEN" https://api.example.com/v1/me
curl -u "$USER:$PASS" https://ci.example.com/job
curl -s http://localhost:3000/healthz | jq .status
jira ticket SHOP-1234 tracks the flaky checkout test
cloudflare caches the assets for an hour
The asana board and the linear project disagree about the due date.
datadog: the monitor for p95 latency fired twice at night
heroku was replaced by the cluster in March
fastly purge happens on deploy
The confluent platform upgrade needs a maintenance window.
AKIA is the prefix of an AWS access key id.
ghp_ tokens are classic, github_pat_ tokens are fine-grained
A JWT starts with eyJ because its header is base64url of JSON.
BEGIN PRIVATE KEY is the line that PEM files of keys start with
npm ci --omit=dev installs what the image needs
The error was ECONNREFUSED 127.0.0.1:5432 after the restart.
SELECT count(*) FROM memory WHERE tenant_id = $1 AND state = 'active'
TypeError: Cannot read properties of undefined (reading 'token')
at TokenIssuer.issue (apps/api/src/auth/token-issuer.ts:42:17)
The flag --access-token-ttl takes seconds.
keepalive_timeout: 65, keepalive_requests: 1000
auth: disabled in tests, enabled in CI
credential helper: store
"token": "<your token here>"
"accessKeyId": "YOUR_ACCESS_KEY_ID"
secrets: inherit
env: API_KEY: \${{ secrets.API_KEY }}
The author decided to keep the author field even where authors leave.
Decided: retries use exponential backoff with jitter, at most five.
決定：令牌每十五分钟过期一次，刷新令牌保存在系统钥匙串中。
数据库密码由平台团队保管，开发环境使用占位符。
パスワードは環境変数から読み込む。
Der Schlüssel liegt im Tresor, das Kennwort kennt nur das Team.
Le jeton d'accès expire après quinze minutes.
We moved from moment to date-fns: the bundle is 60 KB smaller.
Line 1: token. Line 2: another token. Line 3: end of stream token.
Redis keys: session:{id}, rate:{ip}, lock:{tenant}
max_tokens=4096, temperature=0.2, top_p=0.95
total_tokens: 15823, prompt_tokens: 12011, completion_tokens: 3812
The twitter card needs og:image and og:title.
slack notifications go to #deploys; the webhook is in the vault
https://hooks.example.org/builds receives a POST for each build
mailto:team@example.org is on the contact page
ssh git@github.com:acme/shop.git clones with your key
https://github.com/acme/shop/pull/123 fixed it
npm run build failed: Cannot find module 're2js'
The sidekiq queue was empty, so the worker slept.
stripe webhooks are verified by their signature header
Our Sentry DSN is public by design.
The discord bot answers in threads only.
base64: SGVsbG8gd29ybGQ= decodes to Hello world
md5 of the empty text is d41d8cd98f00b204e9800998ecf8427e
const apiKeyHeader = 'x-api-key';
function getAccessToken(user: User): Promise<AccessToken> { return tokens.find(user); }
accessor: (row) => row.accessLevel
import { authGuard } from './auth.guard.js';
The word secret appears in the title of the chapter: A secret garden.
🔑 keys live in 1Password, vault "Team"
`
  .trim()
  .split('\n');
