import { z } from 'zod';

const answerShape = z.object({
  data: z.unknown().optional(),
  errors: z.array(z.object({ message: z.string(), extensions: z.object({ code: z.string() }).optional() })).optional(),
});

/** What the API refused, with its stable code. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Speaks GraphQL to the API, as any client does: the first run goes no other way than everybody's. */
export class SeedClient {
  constructor(
    private readonly url: string,
    private readonly token: string | null = null,
  ) {}

  as(token: string): SeedClient {
    return new SeedClient(this.url, token);
  }

  /** @throws Refused with the first error's code */
  async send<T>(query: string, variables: Record<string, unknown>, shape: z.ZodType<T>): Promise<T> {
    const response = await fetch(`${this.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(this.token === null ? {} : { authorization: `Bearer ${this.token}` }),
      },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.timeout(60_000),
    });
    const { data, errors } = answerShape.parse(await response.json());
    const [error] = errors ?? [];
    if (error !== undefined) throw new Refused(error.extensions?.code ?? 'UNKNOWN', error.message);
    return shape.parse(data);
  }
}
