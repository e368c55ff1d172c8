import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Request } from 'express';
import type { Caller } from '../auth/caller.js';

/** One request at the endpoint, after it was found whose it is. */
export class Visit {
  constructor(
    readonly request: Request,
    readonly caller: Caller,
    /** Named by the client's helper from the person's own binding of the folder; empty: none. */
    readonly project: string | null,
  ) {}

  /** As the library hands it to what serves the request. The token itself goes no further. */
  get authInfo(): AuthInfo {
    return { token: '', clientId: this.caller.userId, scopes: [...(this.caller.scopes ?? [])], extra: { visit: this } };
  }

  /** @throws Error where a request came in another way */
  static of(authInfo: AuthInfo | undefined): Visit {
    const visit = authInfo?.extra?.['visit'];
    if (visit instanceof Visit) return visit;
    throw new Error('A request reached the tools without having been identified.');
  }
}
