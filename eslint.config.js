import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

const DOORS_ONLY =
  'Only libs/platform/src/database opens connections; everything else works inside a door, with the tx it hands out.';
/** What makes the doors: the one place that holds a client. */
const THE_DOORS = ['libs/platform/src/database/{connect,context,doors,system-door}.ts'];

const RAW_PIECE = "CallExpression[callee.object.name='Prisma'][callee.property.name='raw']";
const QUERIES =
  '/^(find(Many|First|Unique)(OrThrow)?|(create|update)Many(AndReturn)?|upsert|deleteMany|aggregate|groupBy)$/';
const AROUND_THE_DOORS = [
  RAW_PIECE,
  "NewExpression[callee.name='PrismaClient'], NewExpression[callee.property.name='PrismaClient']",
  `CallExpression[callee.property.name=${QUERIES}]:not([callee.object.object.name='tx'])`,
  'TaggedTemplateExpression[tag.property.name=/^.(query|execute)Raw$/]:not([tag.object.name="tx"])',
  "MemberExpression[property.name='$transaction']",
  "TSTypeReference[typeName.name='PrismaClient']",
];

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '**/generated/**', '.tempera/**', '**/*.cjs'] },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  prettier,
  {
    files: ['**/*.ts'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      // Raw SQL goes through tagged templates only: their values are bound, never spliced (docs/design.md R13).
      'no-restricted-properties': [
        'error',
        { property: '$queryRawUnsafe', message: 'Unsafe raw SQL is banned; use a tagged $queryRaw.' },
        { property: '$executeRawUnsafe', message: 'Unsafe raw SQL is banned; use a tagged $executeRaw.' },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: "NewExpression[callee.name='PrismaClient']", message: DOORS_ONLY },
        { selector: RAW_PIECE, message: 'Spliced SQL is banned; bind values in a tagged $queryRaw.' },
      ],
    },
  },
  {
    // Data is touched inside a door alone, and a door hands out `tx` (docs/design.md R3). No comment may switch this off:
    // test/contract/lint.test.ts (attack 1.18) plants what must not pass, and looks for exceptions.
    files: ['libs/**/*.ts', 'apps/**/*.ts'],
    ignores: ['**/*.test.ts', '**/*.testing.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: ['pg', '@prisma/adapter-pg', '@prisma/client'].map((name) => ({ name, message: DOORS_ONLY })),
          patterns: [
            { group: ['**/generated/prisma/**'], importNames: ['PrismaClient'], message: DOORS_ONLY },
            { group: ['**/connect.js'], importNames: ['connect', 'Connection'], message: DOORS_ONLY },
          ],
        },
      ],
      'no-restricted-syntax': ['error', ...AROUND_THE_DOORS.map((selector) => ({ selector, message: DOORS_ONLY }))],
    },
  },
  { files: THE_DOORS, rules: { 'no-restricted-syntax': 'off', 'no-restricted-imports': 'off' } },
  // The one door of a library is a list of names; it grows with the library and is no idea to split.
  { files: ['libs/*/src/index.ts'], rules: { 'max-lines': 'off' } },
  {
    // The environment is parsed once, at the edge.
    files: ['libs/**/*.ts', 'apps/**/*.ts'],
    ignores: ['**/main.ts', '**/cli.ts', '**/*-cli.ts', '**/config/**', '**/*.test.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'process', message: 'Only main.ts, cli.ts and config/ read the process.' },
      ],
    },
  },
  {
    files: ['**/*.mjs', 'eslint.config.js'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        fetch: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        Buffer: 'readonly',
        AbortSignal: 'readonly',
        AbortController: 'readonly',
        performance: 'readonly',
      },
    },
  },
);
