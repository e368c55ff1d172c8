import type { KnownTenant } from '@tempera/platform';
import { hidden, markup } from '../web/markup.js';
import type { Page } from '../web/page.js';

/** Leads on by itself: a cookie that was just set is sent only from a page of ours. */
export const onwardPage = (title: string, next: string): Page => ({
  title,
  body: markup`<p><a href="${next}">Go on</a></p>`,
  next,
});

/** Asks as whom of several tenants. */
export const chooseTenantPage = (tenants: readonly KnownTenant[], proof: string): Page => ({
  title: 'In which tenant?',
  body: markup`<p>You are known in several tenants.</p>${tenants.map(
    ({ tenantId, tenantName }) => markup`
<form method="post" action="/auth/oidc/tenant">${hidden('proof', proof)}${hidden('tenant', tenantId)}<button>${tenantName}</button></form>`,
  )}`,
});
