import { beforeAll, describe, expect, it } from 'vitest';
import { type LoadReport, runLoad } from '../performance/load/load-run.js';
import { loadTables } from '../performance/load/load-table.js';
import { planTenants } from '../performance/load/plan.js';

const OPTIONS = { memories: 600, tenants: 6, clients: [1, 2], growth: [120], seconds: 1, words: 3, seed: 1 };

let report: LoadReport;
beforeAll(async () => {
  report = await runLoad(OPTIONS);
}, 170_000);

describe('bench:load, in its smallest form', () => {
  it('fills exactly the memories that were asked for, a few large tenants and many small ones', () => {
    const sizes = planTenants(200_000, 1_000, 400).map(({ memories }) => memories);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(200_000);
    expect(sizes[0]).toBeGreaterThan(25_000);
    expect(sizes[500]).toBeLessThan(60);
  });

  it('measures questions and captures by each number of clients, with nothing refused and no answer short', () => {
    for (const driven of [...report.retrieve, ...report.capture]) {
      expect(driven).toMatchObject({ refused: 0, short: 0 });
      expect(driven.times.count).toBeGreaterThan(0);
      expect(driven.times.p99).toBeGreaterThanOrEqual(driven.times.p50);
    }
    expect(report.retrieve.map(({ clients }) => clients)).toEqual(OPTIONS.clients);
    expect(report.capture.map(({ clients }) => clients)).toEqual(OPTIONS.clients);
  });

  it('splits them by the stages that the API measured', () => {
    const [retrieve] = report.retrieve;
    const [capture] = report.capture;
    for (const stage of ['request auth', 'retrieve embed', 'retrieve search', 'retrieve rank', 'retrieve record'])
      expect(retrieve?.stages[stage], stage).toBeGreaterThan(0);
    for (const stage of ['capture embed', 'capture look', 'capture keep'])
      expect(capture?.stages[stage], stage).toBeGreaterThan(0);
  });

  it('compares the service with the bare encoder and bare SQL, and a tenant with itself beside a noisy one', () => {
    expect(report.bare.service.count).toBe(report.bare.sql.count);
    expect(report.bare.ratio).toBeGreaterThan(0);
    expect(report.neighbour.alone.count).toBeGreaterThan(0);
    expect(report.neighbour.beside.count).toBeGreaterThan(0);
  });

  it('says what it ran on, and fits into tables', () => {
    expect(report.server).toMatchObject({ postgres: expect.stringMatching(/^\d+/) as string });
    expect(report.memory.api).not.toBe(0);
    expect(report.growth.map(({ memories }) => memories)).toEqual(OPTIONS.growth);
    expect(loadTables(report)).toContain('retrieve, mean ms');
  });
});
