import { describe, expect, it } from 'vitest';
import { derivedId } from './derived-id.js';

describe('a derived id', () => {
  it('is a UUID, the same for the same parts and another for any others', () => {
    const id = derivedId('run', 'cleanup', null, 'a');
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(derivedId('run', 'cleanup', null, 'a')).toBe(id);
    const others = [derivedId('run', 'cleanup', 'a', null), derivedId('runcleanup', null, 'a'), derivedId()];
    expect(new Set([id, ...others]).size).toBe(4);
  });
});
