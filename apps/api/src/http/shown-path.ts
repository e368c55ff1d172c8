const PROBES = new Set(['/livez', '/readyz']);

/**
 * The paths that are ours. Any other is told as one word: what people paste behind an address by mistake may be a code or
 * a token.
 */
const PATHS = new Set([
  ...['/mcp', '/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'],
  ...['/graphql', '/.well-known/jwks.json', '/oauth/device_authorization', '/oauth/token', '/invite', '/sign-in'],
  ...['/sign-out', '/device', '/device/check', '/device/approve', '/device/deny'],
  ...['/auth/oidc/start', '/auth/oidc/link', '/auth/oidc/callback', '/auth/oidc/tenant', ...PROBES],
]);

const pathOf = (url: string | undefined): string => (url ?? '').split('?', 1)[0] ?? '';

/** What may be said of an address. */
export const shownPath = (url: string | undefined): string => {
  const path = pathOf(url);
  return PATHS.has(path) ? path : 'other';
};

export const isProbe = (url: string | undefined): boolean => PROBES.has(pathOf(url));
