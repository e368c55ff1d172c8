import type { GraphQLClient } from '../support/graphql-client.js';

/** What a set can be ranked by; `full` is what people get. */
export const RANKINGS = ['vector', 'keyword', 'fused', 'full'] as const;
export type Ranking = (typeof RANKINGS)[number];

/** Ids in the order of each ranking, and what the question that people ask took. */
export interface AskedRankings {
  readonly orders: Partial<Record<Ranking, readonly string[]>>;
  readonly mode: string;
  readonly milliseconds: number;
}

interface Hit {
  readonly memory: { readonly id: string };
  readonly explanation: { readonly ownRelevance: number };
}

const RETRIEVE = `mutation ($input: RetrieveInput!) { retrieve(input: $input) {
  mode hits { memory { id } explanation { ownRelevance } } } }`;
const MOST_HITS = 50;

/** Asks as people do: one order. */
export async function askOnce(
  asker: GraphQLClient,
  query: string,
  project: string,
  limit: number,
): Promise<AskedRankings> {
  const { mode, hits, milliseconds } = await ask(asker, { query, project, limit });
  return { orders: { full: idsOf(hits) }, mode, milliseconds };
}

/**
 * Asks three times: by vectors alone, by words alone, and as people do. The first two, and `fused`, stand in the order of what
 * each hit is by itself, before its session, trust, votes and rules; `full` as it is answered.
 */
export async function askEachWay(asker: GraphQLClient, query: string, project: string): Promise<AskedRankings> {
  const full = await ask(asker, { query, project, limit: MOST_HITS });
  const vector = await ask(asker, { query, project, limit: MOST_HITS, mode: 'VECTOR' });
  const keyword = await ask(asker, { query, project, limit: MOST_HITS, mode: 'KEYWORD' });
  const orders = {
    vector: byThemselves(vector.hits),
    keyword: byThemselves(keyword.hits),
    fused: byThemselves(full.hits),
    full: idsOf(full.hits),
  };
  return { orders, mode: full.mode, milliseconds: full.milliseconds };
}

const idsOf = (hits: readonly Hit[]): string[] => hits.map(({ memory }) => memory.id);

const byThemselves = (hits: readonly Hit[]): string[] =>
  idsOf([...hits].sort((one, other) => other.explanation.ownRelevance - one.explanation.ownRelevance));

async function ask(
  asker: GraphQLClient,
  input: Readonly<Record<string, unknown>>,
): Promise<{ mode: string; hits: Hit[]; milliseconds: number }> {
  const started = performance.now();
  const { retrieve } = await asker.send<{ retrieve: { mode: string; hits: Hit[] } }>(RETRIEVE, { input });
  return { ...retrieve, milliseconds: performance.now() - started };
}
