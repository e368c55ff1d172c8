import type { MemoryId, TenantId } from '@tempera/core';
import type { EncoderId } from '../../embedding/exports.js';
import { toVectorLiteral } from '../../search/vector-literal.js';
import type { Tx } from '../context.js';

/** The encoder that the tenant is changing to, held until the transaction ends: it is not cancelled meanwhile. */
export const holdEncoderChange = async (tx: Tx): Promise<EncoderId | null> => {
  const [row] = await tx.$queryRaw<{ encoder: string | null }[]>`select hold_encoder_change() as encoder`;
  return (row?.encoder ?? null) as EncoderId | null;
};

/** What is to be read anew, whatever state its memory is in: what is not in use can come back. */
export interface TextToReembed {
  readonly revision: number;
  readonly title: string;
  readonly text: string;
}

/** As mem_text; null when the memory is gone or read already. */
export const readTextToReembed = async (
  tx: Tx,
  {
    tenantId,
    memoryId,
    encoder,
  }: { readonly tenantId: TenantId; readonly memoryId: MemoryId; readonly encoder: EncoderId },
): Promise<TextToReembed | null> => {
  const [row] = await tx.$queryRaw<TextToReembed[]>`
    select m.revision, m.title, m.text from memory m
    where m.tenant_id = ${tenantId}::uuid and m.id = ${memoryId}::uuid and not exists (
      select from embedding e where e.tenant_id = m.tenant_id and e.memory_id = m.id and e.encoder = ${encoder})`;
  return row ?? null;
};

/** As mem_text; null when its words are gone, or no vote needs it any more. */
export const readQuestionToReembed = async (tx: Tx, retrievalId: string): Promise<string | null> => {
  const [row] = await tx.$queryRaw<{ question: string | null }[]>`
    select question_to_reembed(${retrievalId}::uuid) as question`;
  return row?.question ?? null;
};

/** As mem_text: the vector of a question, for every vote that was given for it. */
export const carryQuestion = async (tx: Tx, retrievalId: string, vector: Float32Array): Promise<void> => {
  await tx.$executeRaw`select carry_question(${retrievalId}::uuid, ${toVectorLiteral(vector)}::halfvec)`;
};

/** Ends a promise that cannot be kept. @param reason a code, never a text that could hold what people wrote */
export const setAsideOutbox = async (tx: Tx, id: string, reason: string): Promise<void> => {
  await tx.$executeRaw`select set_aside_outbox(${id}::uuid, ${reason})`;
};
