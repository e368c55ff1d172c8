import { Args, Mutation, Resolver } from '@nestjs/graphql';
import { AttemptLimiter } from '../limits/attempt-limiter.js';
import { ClientAddress } from '../limits/client-address.js';
import { ForMachines, PeopleOnly, Public } from './access.guard.js';
import { type Caller, CurrentCaller } from './caller.js';
import { AccessGrant, LoggedOut, LoginInput, RefreshInput, Session } from './session.types.js';
import { SessionsService } from './sessions.service.js';

@Resolver(() => Session)
export class SessionResolver {
  constructor(
    private readonly sessions: SessionsService,
    private readonly attempts: AttemptLimiter,
  ) {}

  @Public()
  @Mutation(() => Session, { description: 'Redeems an invitation or login code and opens a session.' })
  login(@Args('input') { code, client }: LoginInput, @ClientAddress() address: string): Promise<Session> {
    return this.attempts.guard('login', { address, account: code }, () => this.sessions.login(code, client));
  }

  @Public()
  @Mutation(() => Session, { description: 'Trades a refresh token for a fresh pair.' })
  refresh(@Args('input') { refreshToken }: RefreshInput, @ClientAddress() address: string): Promise<Session> {
    return this.attempts.guard('refresh', { address, account: refreshToken }, () =>
      this.sessions.refresh(refreshToken),
    );
  }

  @Public()
  @Mutation(() => AccessGrant, { description: 'Trades a personal access token for a short-lived access token.' })
  exchangeToken(
    @Args('token', { type: () => String }) token: string,
    @ClientAddress() address: string,
  ): Promise<AccessGrant> {
    return this.attempts.guard('exchange', { address, account: token }, () => this.sessions.exchange(token));
  }

  @ForMachines('read')
  @Mutation(() => AccessGrant, {
    description: 'Issues a short-lived access token for the MCP endpoint of this service, which opens nothing else.',
  })
  issueMcpToken(@CurrentCaller() caller: Caller): Promise<AccessGrant> {
    return this.sessions.issueMcpToken(caller);
  }

  @PeopleOnly()
  @Mutation(() => LoggedOut, { description: "Ends the caller's session, or all of them." })
  logout(
    @CurrentCaller() caller: Caller,
    @Args('everywhere', { type: () => Boolean, defaultValue: false }) everywhere: boolean,
  ): Promise<LoggedOut> {
    return this.sessions.logout(caller, everywhere);
  }
}
