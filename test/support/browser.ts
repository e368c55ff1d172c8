/** What a page answered. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Where it leads, when the browser did not follow. */
  readonly location: string | null;
  /** Values of the page's hidden fields, by name. */
  readonly hidden: Readonly<Record<string, string>>;
}

const hiddenFields = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map((match) => [
      match[1] ?? '',
      match[2] ?? '',
    ]),
  );

/** As much of a browser as the pages need: it keeps cookies, names its origin, and follows our redirects. */
export class TestBrowser {
  /** A path at which the browser stops instead of following a redirect there. */
  stopAt: string | null = null;
  private readonly cookies = new Map<string, string>();

  /** @param origin what the browser says its forms come from */
  constructor(
    readonly url: string,
    readonly origin: string,
  ) {}

  cookie(name: string): string | undefined {
    return this.cookies.get(name);
  }

  forgetCookies(): void {
    this.cookies.clear();
  }

  get(path: string): Promise<PageAnswer> {
    return this.ask(path, { method: 'GET' });
  }

  /** Submits a form; `headers` replace what the browser would send. */
  post(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers: Record<string, string> = {},
  ): Promise<PageAnswer> {
    const body = new URLSearchParams(fields).toString();
    const own = { 'content-type': 'application/x-www-form-urlencoded', origin: this.origin };
    return this.ask(path, { method: 'POST', body, headers: { ...own, ...headers } });
  }

  private async ask(path: string, init: RequestInit): Promise<PageAnswer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(init.headers as Record<string, string> | undefined), ...(cookie === '' ? {} : { cookie }) };
    const response = await fetch(new URL(this.reachable(path), this.url), { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) this.keep(line);
    const location = response.headers.get('location');
    const isStop = location !== null && this.stopAt !== null && location.includes(this.stopAt);
    if ([302, 303].includes(response.status) && location !== null && !isStop) {
      return this.ask(new URL(location, response.url).href, { method: 'GET' });
    }
    const text = await response.text();
    return { status: response.status, headers: response.headers, location, text, hidden: hiddenFields(text) };
  }

  /** The public address names a host that is nowhere; the service listens elsewhere. */
  private reachable(path: string): string {
    return path.startsWith(`${this.origin}/`) ? path.slice(this.origin.length) : path;
  }

  /** Takes a cookie as if a page had set it. */
  keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';');
    const at = pair.indexOf('=');
    const isGone = attributes.some((attribute) => /^\s*(max-age=0|expires=thu, 01 jan 1970)/i.test(attribute));
    if (isGone) this.cookies.delete(pair.slice(0, at));
    else this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }
}
