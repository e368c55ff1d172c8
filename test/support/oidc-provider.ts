import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** A real OpenID provider on the loopback address, whose users sign in without being asked. */
export interface TestProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Who sits at the browser, and what the provider says of their address. */
  user: { readonly subject: string; readonly email: string; readonly emailVerified: boolean };
  /** Changes what the browser asks on its way to the provider, as an attacker would. */
  onTheWay: (query: URLSearchParams) => void;
  /** Token requests that came. */
  readonly exchanges: () => number;
  readonly close: () => Promise<void>;
}

const CLIENT_ID = 'tempera';
const CLIENT_SECRET = 'a secret of the client, for tests';

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

const providerFor = (issuer: string, redirectUri: string, state: TestProvider): Provider =>
  new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    // Every claim in the token, whatever was asked for: a provider may say more than it was asked.
    conformIdTokenClaims: false,
    claims: { openid: ['sub', 'email', 'email_verified'] },
    findAccount: (_context, accountId) => {
      const { email, emailVerified } = state.user;
      return { accountId, claims: () => ({ sub: accountId, email, email_verified: emailVerified }) };
    },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId: CLIENT_ID, accountId: state.user.subject });
      grant.addOIDCScope('openid');
      await grant.save();
      return grant;
    },
  });

/** Starts a provider whose one client comes back to `redirectUri`. */
export const startTestProvider = async (redirectUri: string): Promise<TestProvider> => {
  const server = createServer();
  const issuer = `http://127.0.0.1:${await listen(server)}`;
  let exchanges = 0;
  const state: TestProvider = {
    issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    user: { subject: 'nobody', email: '', emailVerified: false },
    onTheWay: () => undefined,
    exchanges: () => exchanges,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const provider = providerFor(issuer, redirectUri, state);
  const answer = provider.callback();
  server.on('request', (request, response) => {
    const url = new URL(request.url ?? '/', issuer);
    if (url.pathname.startsWith('/interaction/')) {
      const result = { login: { accountId: state.user.subject, remember: false } };
      void provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
      return;
    }
    if (url.pathname === '/token') exchanges += 1;
    if (url.pathname === '/auth') {
      state.onTheWay(url.searchParams);
      request.url = `${url.pathname}?${url.searchParams.toString()}`;
    }
    void answer(request, response);
  });
  return state;
};
