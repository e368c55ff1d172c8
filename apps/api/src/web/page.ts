import type { Response } from 'express';
import { createHash } from 'node:crypto';
import { markup, Markup } from './markup.js';

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:3rem auto;padding:0 1rem}
h1{font-size:1.4rem}input[type=text],input[type=password]{font:inherit;width:100%;box-sizing:border-box;padding:.5rem;margin:.25rem 0 1rem}
button{font:inherit;padding:.5rem 1.2rem;margin:0 .5rem .5rem 0}dt{font-weight:600}dd{margin:0 0 .5rem}
code{font:1.1em ui-monospace,monospace;overflow-wrap:anywhere}.code{font-size:1.6rem;letter-spacing:.1em}.problem{border-left:4px solid #c33;padding-left:.75rem}
form.inline{display:inline}`;

/** What one page shows. */
export interface Page {
  readonly title: string;
  readonly body: Markup;
  /** A script of our own, written out in the page; allowed by its hash, and no other is. */
  readonly script?: string;
  /** Where the browser goes next by itself. */
  readonly next?: string;
}

const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing from elsewhere: no script but the page's own, no frame around it, no form that leads away. */
const policyOf = ({ script }: Page): string =>
  [
    "default-src 'none'",
    `style-src ${hashSource(STYLE)}`,
    ...(script === undefined ? [] : [`script-src ${hashSource(script)}`]),
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');

const documentOf = ({ title, body, script, next }: Page): Markup => markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
${next === undefined ? null : markup`<meta http-equiv="refresh" content="0; url=${next}">`}
<title>${title} · Tempera Team</title><style>${new Markup(STYLE)}</style></head>
<body><main><h1>${title}</h1>${body}</main>${script === undefined ? null : markup`<script>${new Markup(script)}</script>`}</body></html>
`;

/** Sends a page that nobody else may frame, keep or read over the shoulder of. */
export const sendPage = (response: Response, page: Page, status = 200): void => {
  response
    .status(status)
    .set({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf(page),
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      // Not no-referrer: browsers then send "null" for the origin of our own forms.
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    .send(documentOf(page).text);
};
