import { markup } from '../web/markup.js';
import type { Page } from '../web/page.js';

/** Asks who is there. */
export const signInPage = (problem: string | null): Page => ({
  title: 'Sign in',
  body: markup`
${problem === null ? null : markup`<p class="problem">${problem}</p>`}
<p>With a one-time code: an invitation, or one that you make on a machine where you are logged in.</p>
<form method="post" action="/sign-in">
<label>One-time code <input type="password" name="code" autocomplete="off" required maxlength="200"></label>
<button>Sign in</button></form>`,
});
