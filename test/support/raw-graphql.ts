/** An answer to a POST that no client of ours would send, as it came. */
export interface Answer {
  readonly status: number;
  /** Codes of the errors; `NO JSON` where the answer has another form. */
  readonly codes: readonly string[];
  readonly text: string;
  readonly milliseconds: number;
}

const codesOf = (text: string): string[] => {
  try {
    const { errors = [] } = JSON.parse(text) as { errors?: { extensions?: { code?: string } }[] };
    return errors.map(({ extensions }) => extensions?.code ?? 'NONE');
  } catch {
    return ['NO JSON'];
  }
};

/** Posts these bytes to /graphql, as JSON unless the headers say otherwise. */
export const postGraphQL = async (
  url: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => {
  const start = performance.now();
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const text = await response.text();
  return { status: response.status, codes: codesOf(text), text, milliseconds: performance.now() - start };
};
