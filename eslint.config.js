import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

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
        {
          selector: "NewExpression[callee.name='PrismaClient']",
          message: 'Only libs/platform/src/database opens connections; everything else goes through a door.',
        },
      ],
    },
  },
  { files: ['libs/platform/src/database/connect.ts'], rules: { 'no-restricted-syntax': 'off' } },
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
