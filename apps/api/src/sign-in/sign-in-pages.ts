import { type Markup, markup } from '../web/markup.js';
import type { Page } from '../web/page.js';

const problemOf = (problem: string | null): Markup | null =>
  problem === null ? null : markup`<p class="problem">${problem}</p>`;

/** Asks who is there. @param provider the label of another sign-in, where one is offered */
export const signInPage = (provider: string | null, problem: string | null): Page => ({
  title: 'Sign in',
  body: markup`
${problemOf(problem)}
${provider === null ? null : markup`<p><a href="/auth/oidc/start">Sign in with ${provider}</a></p>`}
<p>With a one-time code: an invitation, or one that you make on a machine where you are logged in.</p>
<form method="post" action="/sign-in">
<label>One-time code <input type="password" name="code" autocomplete="off" required maxlength="200"></label>
<button>Sign in</button></form>`,
});

/**
 * Takes the code from behind the # of the address, where no server and no log ever sees it, into the form; and out of the
 * address, so that it does not stay in the browser's history.
 */
const FILL_CODE = `const code=location.hash.slice(1);if(/^[\\w-]{1,200}$/.test(code)){document.querySelector('input[name=code]').value=code;
for(const place of document.querySelectorAll('.given'))place.textContent=code;history.replaceState(null,'',location.pathname)}`;

/** Where an invitation's link leads. */
export const invitePage = (publicUrl: string, provider: string | null): Page => ({
  title: 'You are invited',
  script: FILL_CODE,
  body: markup`
<p>On the machine you work on: <code>tempera login --server ${publicUrl}</code></p>
<p>and paste your one-time code: <code class="given">the part of this page's address after the #</code></p>
<hr>
<p>Or accept here in the browser, and let machines in from this page afterwards. The code works once.</p>
<form method="post" action="/sign-in">
<label>One-time code <input type="text" name="code" autocomplete="off" required maxlength="200"></label>
<button>Accept</button>
${provider === null ? null : markup`<button formaction="/auth/oidc/start">Accept with ${provider}</button>`}</form>`,
});
