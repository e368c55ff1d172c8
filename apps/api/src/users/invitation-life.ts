/** How long an invitation waits to be redeemed. */
export const INVITATION_LIFE_MS = 7 * 24 * 3_600_000;
