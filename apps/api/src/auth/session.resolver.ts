import { Args, Mutation, Resolver } from '@nestjs/graphql';
import { PeopleOnly, Public } from './access.guard.js';
import { type Caller, CurrentCaller } from './caller.js';
import { AccessGrant, LoggedOut, LoginInput, RefreshInput, Session } from './session.types.js';
import { SessionsService } from './sessions.service.js';

@Resolver(() => Session)
export class SessionResolver {
  constructor(private readonly sessions: SessionsService) {}

  @Public()
  @Mutation(() => Session, { description: 'Redeems an invitation or login code and opens a session.' })
  login(@Args('input') { code, client }: LoginInput): Promise<Session> {
    return this.sessions.login(code, client);
  }

  @Public()
  @Mutation(() => Session, { description: 'Trades a refresh token for a fresh pair.' })
  refresh(@Args('input') { refreshToken }: RefreshInput): Promise<Session> {
    return this.sessions.refresh(refreshToken);
  }

  @Public()
  @Mutation(() => AccessGrant, { description: 'Trades a personal access token for a short-lived access token.' })
  exchangeToken(@Args('token', { type: () => String }) token: string): Promise<AccessGrant> {
    return this.sessions.exchange(token);
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
