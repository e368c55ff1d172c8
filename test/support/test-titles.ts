import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const TEST_FUNCTIONS = new Set(['it', 'test', 'describe']);

/** All test files below a folder, by whole path. */
export const testFiles = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts') && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name));

/** `it` of `it(…)`, `it.each(…)(…)` and the like. */
const rootName = (node: ts.Expression): string | undefined => {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node)) return rootName(node.expression);
  return ts.isTaggedTemplateExpression(node) ? rootName(node.tag) : undefined;
};

/** Names of a file's tests and suites, as they are written. */
export const titlesOf = (file: string, text = readFileSync(file, 'utf8')): string[] => {
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    const [title] = ts.isCallExpression(node) ? node.arguments : [];
    const isTest = ts.isCallExpression(node) && TEST_FUNCTIONS.has(rootName(node.expression) ?? '');
    if (isTest && title !== undefined && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) {
      titles.push(title.getText().slice(1, -1));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return titles;
};
