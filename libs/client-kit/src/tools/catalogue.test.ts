import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toolByName, toolCatalogue } from './catalogue.js';
import { contextOf } from './samples.testing.js';
import { toldSchema } from './told-schema.js';
import { SERVER_INSTRUCTIONS } from './texts.js';

describe('the tool catalogue', () => {
  it('E4: stays within 8 tools, 6 KB of schemas and 3 KB of texts', () => {
    const bytes = (parts: readonly unknown[]): number =>
      Buffer.byteLength(parts.map((part) => JSON.stringify(part)).join(''));
    expect(toolCatalogue.length).toBeLessThanOrEqual(8);
    expect(bytes(toolCatalogue.map((tool) => toldSchema(tool.inputSchema)))).toBeLessThanOrEqual(6 * 1024);
    const texts = toolCatalogue.map(({ name, title, description, annotations }) => ({
      name,
      title,
      description,
      annotations,
    }));
    expect(bytes(texts)).toBeLessThanOrEqual(3 * 1024);
  });

  it('keeps within what clients show: names of 30 characters, texts of 2 KB', () => {
    for (const tool of toolCatalogue) {
      expect(tool.name).toMatch(/^[a-z_]{1,30}$/);
      expect(Buffer.byteLength(tool.description)).toBeLessThan(2048);
    }
    expect(Buffer.byteLength(SERVER_INSTRUCTIONS)).toBeLessThan(2048);
  });

  it('has no alternatives at the root of a schema, which clients flatten', () => {
    for (const tool of toolCatalogue) {
      const schema: { type?: unknown; anyOf?: unknown; oneOf?: unknown; allOf?: unknown } = toldSchema(
        tool.inputSchema,
      );
      expect(schema.type).toBe('object');
      expect(schema.anyOf ?? schema.oneOf ?? schema.allOf).toBeUndefined();
    }
  });

  it.each([
    ['tempera_retrieve', { query: 5 }, 'query'],
    ['tempera_retrieve', { query: 'x', limit: -1 }, 'limit'],
    ['tempera_retrieve', { query: 'x', limit: 1e9 }, 'limit'],
    ['tempera_retrieve', { query: 'x', asOf: '2026-01-01' }, 'asOf'],
    ['tempera_retrieve', { query: 'x', since: 'last week' }, 'since'],
    ['tempera_retrieve', { query: 'x', as_of: 'then' }, 'as_of'],
    ['tempera_retrieve', { query: '  ' }, 'query'],
    ['tempera_retrieve', {}, 'query'],
    ['tempera_retrieve', { query: 'x', all: true }, 'query'],
    ['tempera_capture', { summary: ['x'] }, 'summary'],
    ['tempera_capture', { summary: ' \n ' }, 'summary'],
    ['tempera_capture', { summary: 'x', kind: 'thought' }, 'kind'],
    ['tempera_capture', { summary: 'x', errors_resolved: [{ resolution: 'y' }] }, 'errors_resolved.0.error'],
    ['tempera_capture', { summary: 'x', expires: '2026-13-45' }, 'expires'],
    ['tempera_feedback', { episode_ids: [], helpful: true }, 'episode_ids'],
    ['tempera_feedback', { episode_ids: ['a1b2c3d4'], helpful: 'yes' }, 'helpful'],
    ['tempera_manage', { action: 'burn', id: 'a1b2c3d4' }, 'action'],
    ['tempera_manage', { action: 'edit', id: 'a1b2c3d4' }, 'text'],
    ['tempera_manage', { action: 'share', id: 'a1b2c3d4' }, 'scope'],
    ['tempera_manage', { action: 'resolve', id: 'a1b2c3d4', keep: 'id' }, 'other'],
    ['tempera_manage', { action: 'expire', id: 'a1b2c3d4', expires: 'soon' }, 'expires'],
    ['tempera_status', { projekt: 'web' }, 'projekt'],
    ['tempera_status', 'web', 'arguments'],
    ['tempera_review', { action: 'merge' }, 'action'],
    ['tempera_review', { execute: 'yes' }, 'execute'],
  ])('B10: %s refuses %j, names the argument and asks nothing of the service', async (name, args, named) => {
    const call = toolByName(name).call(args, contextOf({}));
    await expect(call).rejects.toMatchObject({ kind: 'invalid-input' });
    await expect(call).rejects.toThrowError(named);
    await expect(call).rejects.not.toThrowError(/Invalid|expected|received|Too (?:small|big)|Unrecognized|\|/);
  });

  it('B10: whatever argument takes one of a few words, a wrong one is told them all, to agents and to people', async () => {
    const wrong = '--no such word--';
    const closed = toolCatalogue.flatMap((tool) => {
      const { properties = {} } = z.toJSONSchema(tool.inputSchema);
      return Object.entries(properties).flatMap(([name, of]) => {
        const { enum: words, items } = of as { enum?: string[]; items?: { enum?: string[] } };
        if (words !== undefined) return [{ tool, name, words, value: wrong as unknown }];
        return items?.enum === undefined ? [] : [{ tool, name, words: items.enum, value: [wrong] as unknown }];
      });
    });
    expect(closed.length).toBeGreaterThanOrEqual(8);
    for (const { tool, name, words, value } of closed) {
      for (const source of ['MCP', 'CLI'] as const) {
        const call = tool.call({ query: 'x', summary: 'x', [name]: value }, contextOf({}, { source }));
        await expect(call).rejects.toThrowError(`is one of: ${words.join(', ')}`);
      }
    }
  });
});
