/** The arrows between rooms (ARCHITECTURE.md); an import against them fails the build. */
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    rule('no-cycles', 'A cycle has no bottom to start reading from.', {}, { circular: true }),
    rule(
      'no-orphans',
      'A file nobody imports is dead, unless it is a door or a program.',
      {
        orphan: true,
        pathNot: '(\\.test\\.ts|/index\\.ts|/main\\.ts|cli\\.ts|\\.d\\.ts|^prisma/|^infra/|^test/|/workflows/)',
      },
      {},
    ),
    rule(
      'core-is-pure',
      'core imports nothing but itself.',
      { path: '^libs/core/src', pathNot: '\\.test\\.ts$|-cli\\.ts$' },
      { pathNot: '^libs/core/src' },
    ),
    rule(
      'client-kit-stands-alone',
      'client-kit imports nothing of ours.',
      { path: '^libs/client-kit/src' },
      { path: '^(libs/(core|platform)|apps|prisma|test|infra)/' },
    ),
    rule(
      'platform-knows-no-app',
      'platform serves the apps and knows none.',
      { path: '^libs/platform/src' },
      { path: '^(apps|prisma|test|infra)/' },
    ),
    rule(
      'api-not-worker',
      'The two programs share platform, never each other.',
      { path: '^apps/api/' },
      { path: '^apps/(worker|mcp)/' },
    ),
    rule(
      'worker-not-api',
      'The two programs share platform, never each other.',
      { path: '^apps/worker/' },
      { path: '^apps/(api|mcp)/' },
    ),
    rule(
      'mcp-is-a-client',
      'The client knows the schema and client-kit only.',
      { path: '^apps/mcp/' },
      { path: '^(libs/(core|platform)|apps/(api|worker)|prisma)/' },
    ),
    rule(
      'workflows-are-deterministic',
      'Workflow code runs in a sandbox: core, the contract and types of activities only.',
      { path: '^apps/worker/src/workflows/', pathNot: '\\.test\\.ts$' },
      {
        pathNot:
          '^(apps/worker/src/workflows/|libs/core/|libs/platform/src/temporal/contract|node_modules/@temporalio/(workflow|common|activity))|@tempera/core|@tempera/platform/temporal/contract',
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'only-database-opens-connections',
      'Prisma and pg are opened behind the doors of platform/database.',
      { path: '^(apps|libs)/', pathNot: '^libs/platform/src/(database|generated)' },
      { path: '^(node_modules/(pg|@prisma)/|libs/platform/src/generated)', dependencyTypesNot: ['type-only'] },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(/dist/|/generated/.*/(runtime|internal)/)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
};
