import { Prisma } from '../../generated/prisma/client.js';

/** Which memories a page of a step is of. */
export interface PageOfMemories {
  /** The last memory of the page before; null at the start. */
  readonly after: string | null;
  readonly limit: number;
  /** Memories that the step goes on without. */
  readonly without: readonly string[];
}

/** Memories (m) behind a place, in order of id. */
export const ofPage = ({ after, without }: PageOfMemories): Prisma.Sql =>
  Prisma.sql`(${after}::uuid is null or m.id > ${after}::uuid) and m.id <> all (${[...without]}::uuid[])`;

/** In an archived project nothing is decided, by machines neither. */
export const inOpenPlace = Prisma.sql`(m.scope <> 'project' or not exists (select from project j
  where j.tenant_id = m.tenant_id and j.id = m.project_id and j.archived_at is not null))`;
