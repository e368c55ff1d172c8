import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Logger as NestLogger } from 'nestjs-pino';
import { AppModule } from './app.module.js';
import { VERSION } from './config/version.js';
import { clientVersion } from './http/client-version.js';
import { graphqlBodyRefused, jsonBody } from './http/graphql-body.js';
import { mcpBody, mcpBodyRefused } from './mcp/mcp-body.js';
import { ownAddress } from './mcp/own-address.js';
import { nestLines } from './http/nest-lines.js';
import { ownOrigin } from './http/own-origin.js';
import { requestDeadline } from './http/request-deadline.js';
import { requestLog } from './http/request-log.js';
import { shedding } from './http/shedding.js';
import type { AppDependencies } from './platform/platform.module.js';
import { requestWatch } from './telemetry/request-watch.js';
import { formBody, formRefused } from './web/form.js';

export type { AppDependencies } from './platform/platform.module.js';

/**
 * Builds the API over what it is given; the caller listens, and closes both the app and the dependencies.
 * Used by main.ts, and by tests with a database of their own.
 */
export const createApp = async (dependencies: AppDependencies): Promise<NestExpressApplication> => {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.register(dependencies), {
    bodyParser: false,
    bufferLogs: true,
    abortOnError: false,
  });
  app.useLogger(nestLines(app.get(NestLogger)));
  app.disable('x-powered-by');
  app.disable('etag');
  // Said in so many words: a proxy that nobody named may say what it likes of where a request comes from.
  app.set(
    'trust proxy',
    dependencies.settings.trustedProxies.length > 0 ? [...dependencies.settings.trustedProxies] : false,
  );
  app.use(requestLog(dependencies.logger));
  app.use(requestWatch(), shedding());
  app.use(requestDeadline());
  app.use('/graphql', ownOrigin(dependencies.settings.publicUrl), clientVersion(VERSION));
  app.use('/graphql', jsonBody, graphqlBodyRefused);
  app.use('/mcp', ownAddress(dependencies.settings.publicUrl), mcpBody, mcpBodyRefused);
  app.use(['/oauth', '/device', '/sign-in', '/sign-out', '/auth'], formBody, formRefused);
  return app;
};
