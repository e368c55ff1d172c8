import { type Doors, isRefused, myTenantRole } from '@tempera/platform';
import { notLoggedIn } from '../auth/caller.js';

/**
 * The doors, with one thing made plain: a session is believed for five seconds, and a person or tenant that ended within
 * them is nobody to the database, which refuses everything. That is no fault of ours and no matter of rights: log in again.
 */
export const standingDoors = (doors: Doors): Doors => ({
  ...doors,
  asTenant: async (identity, work) => {
    try {
      return await doors.asTenant(identity, work);
    } catch (error) {
      if (isRefused(error) && (await doors.asTenant(identity, myTenantRole)) === null) throw notLoggedIn();
      throw error;
    }
  },
});
