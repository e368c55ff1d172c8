import type { Me } from '../tenants/me.types.js';
import { hidden, type Markup, markup } from '../web/markup.js';
import type { Page } from '../web/page.js';
import type { DeviceRequest } from './device-codes.service.js';

const moment = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** The service, as these pages speak of it. */
interface Here {
  readonly publicUrl: string;
  /** The label of another sign-in, where one is offered. */
  readonly provider: string | null;
}

const linkForm = (provider: string | null, csrf: string): Markup | null =>
  provider === null
    ? null
    : markup`<form method="post" action="/auth/oidc/link">${hidden('csrf', csrf)}<button>Link with ${provider}</button></form>`;

const signedIn = ({ user, tenant }: Me, csrf: string, { provider }: Here): Markup => markup`
<p>Signed in as <strong>${user.displayName}</strong>, tenant <strong>${tenant.name}</strong>.</p>
${linkForm(provider, csrf)}
<form method="post" action="/sign-out">${hidden('csrf', csrf)}<button>Sign out</button></form>`;

/** Asks for the code on the device. */
export const askCodePage = (me: Me, csrf: string, here: Here, problem: string | null): Page => ({
  title: 'Log a device in',
  body: markup`
${problem === null ? null : markup`<p class="problem">${problem}</p>`}
<p>A machine that runs <code>tempera login --server ${here.publicUrl}</code> without a code shows eight letters.</p>
<form method="post" action="/device/check">${hidden('csrf', csrf)}
<label>Code that the device shows
<input type="text" class="code" name="user_code" autocomplete="off" autocapitalize="characters" required maxlength="20"></label>
<button>Go on</button></form>
<hr>${signedIn(me, csrf, here)}`,
});

/** One of the two answers, as a form of its own. */
const answerForm = (action: 'approve' | 'deny', label: string, csrf: string, userCode: string): Markup => markup`
<form class="inline" method="post" action="/device/${action}">${hidden('csrf', csrf)}${hidden('user_code', userCode)}
<button>${label}</button></form>`;

/** Shows who asks, and asks to compare. */
export const confirmPage = (me: Me, csrf: string, { userCode, client, address, createdAt }: DeviceRequest): Page => ({
  title: 'Is this your device?',
  body: markup`
<p>Look at the device: it must show exactly</p><p><code class="code">${userCode}</code></p>
<dl><dt>It calls itself</dt><dd>${client}</dd><dt>It asks from</dt><dd>${address}</dd><dt>Since</dt><dd>${moment(createdAt)}</dd></dl>
<p>If you let it in, it works as <strong>${me.user.displayName}</strong> in <strong>${me.tenant.name}</strong>.
If somebody sent you this code, or you did not start this login yourself, deny it.</p>
${answerForm('approve', 'Let it in', csrf, userCode)}${answerForm('deny', 'Deny', csrf, userCode)}`,
});

/** Says what was decided. */
export const answeredPage = (client: string, approved: boolean): Page => ({
  title: approved ? 'The device is logged in' : 'The device was denied',
  body: approved
    ? markup`<p>${client} is logged in within a few seconds. You can close this page; your list of sessions shows it, and ends it.</p>`
    : markup`<p>${client} stays out. You can close this page.</p>`,
});
