/** What `npm start -- --help` prints. */
export const START_USAGE = `Usage: npm start

Starts one instance of Tempera Team from a checkout: installs and builds what is missing, starts Postgres and Temporal,
migrates, starts the API and the worker, and prints a first login. Ctrl-C stops everything; the next start reuses it all.

It takes no arguments. Settings come from the environment, and none is needed:
  TEMPERA_DATA_DIR     where data and logs are kept (.tempera/)
  TEMPERA_CACHE_DIR    where fetched servers and encoders are kept (~/.cache/tempera-team)
  API_HOST, API_PORT   where the API listens (127.0.0.1, 4747)
  PUBLIC_URL           the address that clients use
  DATABASE_ADMIN_URL   a Postgres of your own, as superuser; else native, else embedded
  TEMPORAL_ADDRESS     a Temporal of your own, host:port; else a dev server
  EMBEDDING_MODEL_DIR  a folder with encoders
  LOG_LEVEL            debug, info, warn, error`;
