/** What the API said when it refused: the stable code and its words. */
export class RefusedError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    /** The word for programs, in `details.reason`. */
    readonly reason = '',
  ) {
    super(`${code}: ${message}`);
  }
}

interface GraphQLAnswer {
  data?: unknown;
  errors?: { message: string; extensions?: { code?: string; details?: { reason?: string } } }[];
}

/** A bare GraphQL client over HTTP, as any client of the service is. `accessToken` is asked anew for each request. */
export class GraphQLClient {
  constructor(
    readonly url: string,
    private readonly accessToken: () => Promise<string | undefined> = () => Promise.resolve(undefined),
  ) {}

  /** The access token that the next request would carry. */
  token(): Promise<string | undefined> {
    return this.accessToken();
  }

  /** Sends one operation and returns its data. @throws RefusedError with the first error's code. */
  async send<Data>(query: string, variables: Record<string, unknown> = {}): Promise<Data> {
    const token = await this.accessToken();
    const response = await fetch(`${this.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ query, variables }),
    });
    const answer = (await response.json()) as GraphQLAnswer;
    const refusal = answer.errors?.[0];
    if (refusal !== undefined || answer.data === undefined || answer.data === null) {
      const { code = 'NO_DATA', details } = refusal?.extensions ?? {};
      throw new RefusedError(code, refusal?.message ?? 'no data', response.status, details?.reason);
    }
    return answer.data as Data;
  }

  /** Sends one operation that must be refused. Returns the refusal; fails if it was let through. */
  async refused(query: string, variables: Record<string, unknown> = {}): Promise<RefusedError> {
    try {
      await this.send(query, variables);
    } catch (error) {
      if (error instanceof RefusedError) return error;
      throw error;
    }
    throw new Error(`let through: ${query}`);
  }
}

interface SessionData {
  accessToken: string;
  accessExpiresAt: string;
  refreshToken: string;
}

const SESSION = 'accessToken accessExpiresAt refreshToken';

const isUnavailable = (error: unknown): boolean => error instanceof RefusedError && error.code === 'UNAVAILABLE';

/** Logs in with a one-time code and keeps the session fresh, as the command line does. */
export async function logIn(url: string, code: string): Promise<GraphQLClient> {
  const anonymous = new GraphQLClient(url);
  const first = await anonymous.send<{ login: SessionData }>(
    `mutation ($code: String!) { login(input: { code: $code, client: "test" }) { ${SESSION} } }`,
    { code },
  );
  let session = first.login;
  const isStale = (): boolean => Date.parse(session.accessExpiresAt) - Date.now() < 60_000;
  let refreshing: Promise<void> | undefined;
  const refresh = async (): Promise<void> => {
    const next = await anonymous.send<{ refresh: SessionData }>(
      `mutation ($refreshToken: String!) { refresh(input: { refreshToken: $refreshToken }) { ${SESSION} } }`,
      { refreshToken: session.refreshToken },
    );
    session = next.refresh;
  };
  // A busy machine may shed it; a token that was not used up may be shown again.
  const refreshSoon = (): Promise<void> =>
    refresh()
      .catch((error: unknown) => (isUnavailable(error) ? refresh() : Promise.reject(error as Error)))
      .finally(() => (refreshing = undefined));
  return new GraphQLClient(url, async () => {
    if (isStale()) await (refreshing ??= refreshSoon());
    return session.accessToken;
  });
}

/** Logs an operator in with a one-time operator code. The token lives ten minutes. */
export async function logInOperator(url: string, code: string): Promise<GraphQLClient> {
  const { operatorLogin } = await new GraphQLClient(url).send<{ operatorLogin: { accessToken: string } }>(
    'mutation ($code: String!) { operatorLogin(code: $code) { accessToken } }',
    { code },
  );
  return new GraphQLClient(url, () => Promise.resolve(operatorLogin.accessToken));
}

/** An operator for longer than a token lives: logs in again, with a new code, before the old one ends. */
export function lastingOperator(url: string, newCode: () => Promise<string>): GraphQLClient {
  let client: GraphQLClient | undefined;
  let renewAt = 0;
  return new GraphQLClient(url, async () => {
    if (client === undefined || Date.now() >= renewAt) {
      client = await logInOperator(url, await newCode());
      renewAt = Date.now() + 8 * 60_000;
    }
    return client.token();
  });
}

/** Creates a tenant and logs its owner in. */
export async function createTenant(operator: GraphQLClient, name: string): Promise<GraphQLClient> {
  const { createTenant: created } = await operator.send<{ createTenant: { ownerInvitation: { code: string } } }>(
    'mutation ($name: String!) { createTenant(input: { name: $name, ownerName: "Olga Owner" }) { ownerInvitation { code } } }',
    { name },
  );
  return logIn(operator.url, created.ownerInvitation.code);
}

/** Invites a person and logs them in. With a project they join it in the same step. */
export async function invite(
  owner: GraphQLClient,
  person: { displayName: string; email?: string; role?: string; project?: string; projectRole?: string },
): Promise<GraphQLClient> {
  return logIn(owner.url, await invitationCode(owner, person));
}

/** Invites a person and returns the one-time code. */
export async function invitationCode(
  owner: GraphQLClient,
  person: { displayName: string; email?: string; role?: string; project?: string; projectRole?: string },
): Promise<string> {
  const { inviteUser } = await owner.send<{ inviteUser: { code: string } }>(
    'mutation ($input: InviteUserInput!) { inviteUser(input: $input) { code } }',
    { input: person },
  );
  return inviteUser.code;
}

/** Issues a personal access token of the client's person and returns a machine that works with it. */
export async function machineOf(person: GraphQLClient, scopes?: readonly string[]): Promise<GraphQLClient> {
  const { issueToken } = await person.send<{ issueToken: { secret: string } }>(
    'mutation ($input: IssueTokenInput!) { issueToken(input: $input) { secret } }',
    { input: { name: 'machine', ...(scopes === undefined ? {} : { scopes }) } },
  );
  const { exchangeToken } = await new GraphQLClient(person.url).send<{ exchangeToken: { accessToken: string } }>(
    'mutation ($token: String!) { exchangeToken(token: $token) { accessToken } }',
    { token: issueToken.secret },
  );
  return new GraphQLClient(person.url, () => Promise.resolve(exchangeToken.accessToken));
}
