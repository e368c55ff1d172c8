import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

interface Program {
  readonly command: string;
  readonly args: (files: readonly string[]) => readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

interface ToolsModule {
  readonly KUBERNETES_VERSIONS: readonly string[];
  readonly helmProgram: () => Promise<string>;
  readonly kubernetesSchemas: () => Promise<string>;
  readonly definitionsOf: (folder: string, version: string) => object;
  readonly schemaOf: (folder: string, version: string, apiVersion: string, kind: string) => object;
  readonly composeProgram: () => Promise<Program>;
  readonly terraformProgram: () => Promise<string>;
  readonly squawkProgram: () => Promise<string>;
}

// Plain JavaScript: the runner fetches these tools before anything is installed.
const module = new URL('../../../infra/shipping/tools.mjs', import.meta.url).href;

/** The programs that check what we ship. */
export const tools = (await import(module)) as ToolsModule;

/** The root of the checkout. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A tool, or why this machine has none. */
export type Had<Tool> = { readonly tool: Tool } | { readonly missing: string };

/**
 * Gets a tool from where it comes. Where TEMPERA_SHIPPING_TOOLS says `required`, as on the build machine, a tool that
 * cannot be had is a failure; elsewhere the tests that need it are skipped, each saying why.
 */
export const getTool = async <Tool>(get: () => Promise<Tool>): Promise<Had<Tool>> => {
  try {
    return { tool: await get() };
  } catch (error) {
    if (process.env['TEMPERA_SHIPPING_TOOLS'] === 'required') throw error;
    return { missing: error instanceof Error ? error.message : String(error) };
  }
};

/** The tool, or the end of the test with the reason. */
export const need = <Tool>(had: Had<Tool>, skip: (note: string) => never): Tool => {
  if ('tool' in had) return had.tool;
  return skip(`not checked: ${had.missing}`);
};

/** What a program said and how it ended. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a program of this checkout to its end, without anything of our own environment but the path. */
export const runTool = (
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd: string = root,
): Promise<Ran> =>
  new Promise((resolve) => {
    const options = {
      cwd,
      env: { PATH: process.env['PATH'], HOME: '/nonexistent', ...env },
      maxBuffer: 64 * 1024 * 1024,
    };
    execFile(command, [...args], options, (error, out, err) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ code, out, err: err === '' && error !== null ? error.message : err });
    });
  });
