import { z } from 'zod';
import { field, type ImportFormat, peekLine, soleFile } from '../import-format.js';
import { parseLines } from '../import-input.js';
import { inPieces, sourceIdOf, tagsOf, titleOf } from '../import-item.js';

const lineShape = z.discriminatedUnion('type', [
  z.object({ type: z.literal('entity'), name: z.string(), entityType: z.string(), observations: z.array(z.string()) }),
  z.object({ type: z.literal('relation'), from: z.string(), to: z.string(), relationType: z.string() }),
]);

/** The knowledge graph of the MCP reference server: an entity is a memory, with what it is related to as its last lines. */
export const memoryGraph: ImportFormat = {
  name: 'mcp-memory',
  reads: 'memory.jsonl of the MCP reference server',
  matches: async (input) => {
    const name = soleFile(input, '.jsonl', '.json');
    const type = name === null ? undefined : field(await peekLine(input, name), 'type');
    return type === 'entity' || type === 'relation';
  },
  parse: async (input) => {
    const [name = ''] = input.names;
    const lines = parseLines(name, await input.read(name), lineShape).map(({ value }) => value);
    const entities = lines.filter((line) => line.type === 'entity');
    const relations = lines.filter((line) => line.type === 'relation');
    const items = entities.flatMap((entity) => {
      const related = relations.filter(({ from }) => from === entity.name);
      const words = [
        `${entity.name} (${entity.entityType})`,
        ...entity.observations.map((observation) => `- ${observation}`),
        ...related.map(({ relationType, to }) => `- ${relationType}: ${to}`),
      ];
      return inPieces({
        sourceId: sourceIdOf(`entity:${entity.name}`),
        memory: {
          text: words.join('\n'),
          title: titleOf(entity.name),
          kind: 'BACKGROUND',
          tags: tagsOf([entity.entityType]),
        },
      });
    });
    const known = new Set(entities.map((entity) => entity.name));
    const loose = relations.filter(({ from }) => !known.has(from));
    return {
      items,
      skipped: loose.map(({ from, relationType, to }) => ({
        sourceId: `${from} ${relationType} ${to}`,
        reason: 'It relates something that is not there.',
      })),
    };
  },
};
