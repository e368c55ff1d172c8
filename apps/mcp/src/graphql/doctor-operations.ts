/*
 * What is wrong, as the service sees it.
 */

/** With the instance, for operators. */
export const INSTANCE_DOCTOR = 'query InstanceDoctor { instanceDoctor { name verdict detail advice } }';

/** With the caller's tenant, for its admins. */
export const TENANT_DOCTOR = 'query TenantDoctor { tenantDoctor { name verdict detail advice } }';
