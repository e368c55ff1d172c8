import { freePort, type Program, startProgram, untilTrue } from './programs.js';

/** How a built API is started: whose database, which keys, where it listens. */
export interface ApiProgramOptions {
  readonly urls: { readonly app: string; readonly text: string; readonly operator: string };
  readonly keysFile: string;
  /** Default: a free one. */
  readonly port?: number;
  /** More of its environment, or other values of it. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface ApiProgram {
  readonly url: string;
  readonly port: number;
  readonly program: Program;
}

/** Starts the built API as a process of its own; {@link untilReady} says when it answers. */
export const startApiProgram = async (options: ApiProgramOptions): Promise<ApiProgram> => {
  const port = options.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const program = startProgram(process.execPath, ['apps/api/dist/main.js'], {
    API_HOST: '127.0.0.1',
    API_PORT: String(port),
    PUBLIC_URL: url,
    TOKEN_ISSUER: url,
    TOKEN_AUDIENCE: `${url}/graphql`,
    SIGNING_KEYS_FILE: options.keysFile,
    DATABASE_APP_URL: options.urls.app,
    DATABASE_TEXT_URL: options.urls.text,
    DATABASE_OPERATOR_URL: options.urls.operator,
    EMBEDDING_MODEL_DIR: process.env['EMBEDDING_MODEL_DIR'] ?? '',
    LOG_LEVEL: 'warn',
    ...options.env,
  });
  return { url, port, program };
};

/** Waits until it says that it is ready. */
export const untilReady = ({ url, program }: ApiProgram): Promise<void> =>
  untilTrue('the API is ready', async () => (await fetch(`${url}/readyz`)).ok, program);

/** Waits until it takes connections; under load it may say for a while that it has no room for more. */
export const untilAlive = ({ url, program }: ApiProgram): Promise<void> =>
  untilTrue('the API is alive', async () => (await fetch(`${url}/livez`)).ok, program);
