/** What `npm start -- --help` prints. */
export const START_USAGE = `Usage: npm start

Starts one instance of Tempera Team from a checkout: installs and builds what is missing, starts Postgres and Temporal,
migrates, starts the API and the worker, and prints a first login. Ctrl-C stops everything; the next start reuses it all.

It takes no arguments. Settings come from the environment, and none is needed; a wrong one is refused by its name:
  TEMPERA_DATA_DIR         where data and logs are kept (.tempera/)
  TEMPERA_CACHE_DIR        where fetched servers and encoders are kept (~/.cache/tempera-team)
  API_HOST, API_PORT       where the API listens (127.0.0.1, 4747)
  PUBLIC_URL               the address that clients use
  DATABASE_ADMIN_URL       a Postgres of your own, as superuser (or DATABASE_URL); else native, else embedded
  TEMPORAL_ADDRESS         a Temporal of your own, host:port; else a dev server
  TEMPORAL_NAMESPACE, TEMPORAL_TASK_QUEUE   what is used there (default, tempera)
  TEMPORAL_TLS             on: the Temporal of your own is reached over TLS; each of the next says so too (off)
  TEMPORAL_API_KEY_FILE    a file of mode 0600 with the API key of a Temporal Cloud namespace
  TEMPORAL_TLS_CERT_FILE, TEMPORAL_TLS_KEY_FILE   or a client certificate, and its key in a file of mode 0600
  TEMPORAL_TLS_CA_FILE, TEMPORAL_TLS_SERVER_NAME  who signs its certificate (the machine's authorities), and its name
  EMBEDDING_MODEL_DIR      a folder with encoders
  TRUSTED_PROXIES          reverse proxies whose X-Forwarded-For is believed: 10.0.0.0/8, loopback (nobody's)
  ATTEMPTS_PER_ADDRESS     people and codes that fail at one address before it waits (300)
  REQUESTS_AT_ONCE         requests that are worked on at once, 2 to 10; others wait (two for each processor and two more)
  DRAIN_NOTICE_SECONDS     seconds in which a balancer sees that the API is about to stop, 20 at most (0)
  OIDC_ISSUER, OIDC_CLIENT_ID   sign in with another provider, at PUBLIC_URL/auth/oidc/callback (not offered)
  OIDC_CLIENT_SECRET_FILE, OIDC_LABEL   a file of mode 0600 with the client's secret; what the button says
  SIGNING_KEYS_FILE        keys that sign tokens (keys.json among the data)
  TOKEN_ISSUER, TOKEN_AUDIENCE   what tokens name (PUBLIC_URL, PUBLIC_URL/graphql)
  TEMPERA_PROFILE          local, or production: no introspection, and only a database that keeps what it took (local)
  METRICS_HOST, METRICS_PORT   where Prometheus may look at the API, and one port higher at the worker (127.0.0.1, nowhere)
  OTEL_EXPORTER_OTLP_ENDPOINT  where traces go, such as http://127.0.0.1:4318 (nowhere)
  LOG_LEVEL                silent, fatal, error, warn, info, debug, trace (info)`;
