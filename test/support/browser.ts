/** What a page answered. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
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
    const response = await fetch(new URL(path, this.url), { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) this.keep(line);
    const location = response.headers.get('location');
    if (response.status === 303 && location !== null) return this.ask(location, { method: 'GET' });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, hidden: hiddenFields(text) };
  }

  private keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';');
    const at = pair.indexOf('=');
    const isGone = attributes.some((attribute) => /^\s*(max-age=0|expires=thu, 01 jan 1970)/i.test(attribute));
    if (isGone) this.cookies.delete(pair.slice(0, at));
    else this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }
}
