import type { Request, Response } from 'express';

/** What a cookie of ours is told besides its value: never readable by scripts, always of this host and every path. */
interface CookieOptions {
  /** `strict`: not even a link from elsewhere brings it along; `lax`: a link does, as a provider's answer needs. */
  readonly sameSite: 'strict' | 'lax';
  readonly maxAgeMs: number;
}

/** Cookies of the pages. Over https their names bind them to this very host, so that no sibling domain can plant one. */
export class Cookies {
  private readonly isSecure: boolean;

  constructor(publicUrl: string) {
    this.isSecure = publicUrl.startsWith('https:');
  }

  read(request: Request, name: string): string | null {
    const wanted = this.nameOf(name);
    for (const pair of (request.headers.cookie ?? '').split(';')) {
      const at = pair.indexOf('=');
      if (pair.slice(0, at).trim() === wanted) return pair.slice(at + 1).trim();
    }
    return null;
  }

  write(response: Response, name: string, value: string, { sameSite, maxAgeMs }: CookieOptions): void {
    const options = { httpOnly: true, secure: this.isSecure, sameSite, path: '/', maxAge: maxAgeMs };
    response.cookie(this.nameOf(name), value, options);
  }

  clear(response: Response, name: string): void {
    response.clearCookie(this.nameOf(name), { httpOnly: true, secure: this.isSecure, sameSite: 'strict', path: '/' });
  }

  private nameOf(name: string): string {
    return this.isSecure ? `__Host-tempera_${name}` : `tempera_${name}`;
  }
}
