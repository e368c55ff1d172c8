import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { Global, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { GraphQLModule } from '@nestjs/graphql';
import { currentSignal, type Logger } from '@tempera/platform';
import type { Request } from 'express';
import { AuthModule } from '../auth/auth.module.js';
import type { Settings } from '../config/settings.js';
import { FairTurns } from '../limits/fair-turns.js';
import { PointsLimiter } from '../limits/points-limiter.js';
import { LOGGER, SETTINGS } from '../platform/platform.tokens.js';
import { ContextFactory } from './context-factory.js';
import { apolloOptions } from './apollo-options.js';
import { Paging } from './paging.js';
import { RethrowFilter } from './rethrow.filter.js';
import { DateTimeScalar } from './scalars/date-time.scalar.js';

/** What resolvers of every noun share. */
@Global()
@Module({
  imports: [AuthModule],
  providers: [ContextFactory, Paging, DateTimeScalar, { provide: APP_FILTER, useClass: RethrowFilter }],
  exports: [ContextFactory, Paging],
})
export class GraphqlSharedModule {}

@Module({
  imports: [
    GraphQLModule.forRootAsync<ApolloDriverConfig>({
      driver: ApolloDriver,
      imports: [GraphqlSharedModule],
      inject: [SETTINGS, LOGGER, ContextFactory, PointsLimiter, FairTurns],
      useFactory: (
        settings: Settings,
        logger: Logger,
        contexts: ContextFactory,
        points: PointsLimiter,
        turns: FairTurns,
      ) => ({
        ...apolloOptions({
          introspection: settings.profile === 'local',
          logger,
          gate: {
            charge: (caller, cost) => points.charge(caller, cost),
            takeTurn: ({ tenantId, userId }, isLong) => turns.take({ tenantId, userId, isLong }, currentSignal()),
          },
        }),
        context: ({ req }: { readonly req: Request }) => contexts.create(req),
      }),
    }),
  ],
})
export class GraphqlFrameModule {}
