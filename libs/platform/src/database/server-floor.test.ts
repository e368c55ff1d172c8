import { describe, expect, it } from 'vitest';
import { belowFloor } from './server-floor.js';

describe('the production floor', () => {
  it.each([
    [180_006, '0.8.4'],
    [180_007, '0.8.10'],
    [170_011, '0.9.0'],
    [190_000, '1.0.0'],
  ])('lets %i with pgvector %s in', (server, vector) => {
    expect(belowFloor(server, vector)).toBeUndefined();
  });

  it.each([
    [180_005, '0.8.5', 'Postgres 18.5 is older than 18.6'],
    [170_010, '0.8.5', 'Postgres 17.10 is older than 17.11'],
    [160_014, '0.8.5', 'Postgres 16 is older than 17.11'],
    [180_006, '0.8.3', 'pgvector 0.8.3 is older than 0.8.4'],
    [180_006, '0.7.9', 'pgvector 0.7.9 is older than 0.8.4'],
  ])('refuses %i with pgvector %s and says why', (server, vector, why) => {
    expect(belowFloor(server, vector)).toBe(why);
  });
});
