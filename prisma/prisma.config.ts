import { defineConfig } from 'prisma/config';

/** Only `prisma generate` and `prisma validate` read this; connections are opened by the doors and by `migrate.ts`. */
export default defineConfig({ schema: 'schema.prisma', migrations: { path: 'migrations' } });
