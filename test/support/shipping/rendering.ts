import { beforeAll, expect } from 'vitest';
import { CHART, type Manifest, manifestsOf, renderChart } from './chart.js';
import { getTool, type Had, need, tools } from './tools.js';

export type Skip = (note: string) => never;

/** A file of values of the chart by its name. */
export const valuesOf = (name: string): string => `${CHART}/ci/${name}-values.yaml`;

/** What every set of values runs. */
export const ALWAYS = ['api', 'worker', 'migrate', 'partitions'] as const;
/** What a set of values runs: backups where they are switched on. */
export const componentsOf = (values: string): readonly string[] =>
  values.includes('temporal-cloud') ? [...ALWAYS, 'backup'] : ALWAYS;

export interface Rendering {
  /** The `helm` program, or why the test is skipped. */
  readonly helm: (skip: Skip) => string;
  /** What a file of values makes, once for each suite. */
  readonly render: (skip: Skip, values: string) => Promise<Manifest[]>;
  /** What is said about values that are refused. */
  readonly refusal: (skip: Skip, values: string | null, ...changes: string[]) => Promise<string>;
}

/** Renders the chart in a suite's tests. */
export const useChart = (): Rendering => {
  let had: Had<string>;
  beforeAll(async () => {
    had = await getTool(tools.helmProgram);
  }, 300_000);
  const helm = (skip: Skip): string => need(had, skip);
  const rendered = new Map<string, Promise<Manifest[]>>();
  const renderOnce = async (program: string, values: string): Promise<Manifest[]> => {
    const { code, out, err } = await renderChart(program, values);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return manifestsOf(out);
  };
  return {
    helm,
    render: (skip, values) => {
      const known = rendered.get(values) ?? renderOnce(helm(skip), values);
      rendered.set(values, known);
      return known;
    },
    refusal: async (skip, values, ...changes) => {
      const { code, err } = await renderChart(helm(skip), values, changes);
      expect(code).not.toBe(0);
      return err;
    },
  };
};
