/*
 * What operators do: tenants and the health of the instance, never a memory.
 */

const TENANT_FIELDS = `
  fragment TenantFields on TenantOverview { id name status timeZone users projects memories createdAt eraseAfter }`;

/** Trades a one-time operator code for a short-lived token. */
export const OPERATOR_LOGIN = `
  mutation OperatorLogin($code: String!) { operatorLogin(code: $code) { accessToken expiresAt } }`;

/** The instance's tenants. */
export const LIST_TENANTS = `
  query ListTenants($first: Int!, $after: String, $filter: TenantFilter) {
    tenants(first: $first, after: $after, filter: $filter) {
      nodes { ...TenantFields }
      pageInfo { hasNextPage endCursor }
    }
  }
  ${TENANT_FIELDS}`;

/** Makes a tenant and its owner's invitation. */
export const CREATE_TENANT = `
  mutation CreateTenant($input: CreateTenantInput!) {
    createTenant(input: $input) { tenant { id name timeZone } ownerInvitation { id code expiresAt } }
  }`;

/** Keeps everyone of a tenant out. */
export const SUSPEND_TENANT = `mutation SuspendTenant($id: ID!) { suspendTenant(id: $id) { ...TenantFields } } ${TENANT_FIELDS}`;

/** Opens a suspended tenant again. */
export const RESUME_TENANT = `mutation ResumeTenant($id: ID!) { resumeTenant(id: $id) { ...TenantFields } } ${TENANT_FIELDS}`;

/** Deletes a tenant, for good when its grace is over. */
export const DELETE_TENANT = `
  mutation DeleteTenant($id: ID!, $confirmName: String!, $graceDays: Int) {
    deleteTenant(id: $id, confirmName: $confirmName, graceDays: $graceDays) { ...TenantFields }
  }
  ${TENANT_FIELDS}`;

/** The deletion of a tenant, or its receipt. */
export const TENANT_DELETION = `
  query TenantDeletion($id: ID!) {
    tenantDeletion(id: $id) {
      id operatorId status requestedAt eraseAfter searchedTables finishedAt counts { what rows } traces { what rows }
    }
  }`;

/** Who runs the instance. */
export const LIST_OPERATORS = `query ListOperators { operators { id name createdAt disabledAt } }`;

/** A one-time code for an operator. */
export const CREATE_OPERATOR_CODE = `
  mutation CreateOperatorCode($name: String!) { createOperatorCode(name: $name) { operatorId code expiresAt } }`;

/** Keeps an operator out for good. */
export const DISABLE_OPERATOR = `
  mutation DisableOperator($id: ID!) { disableOperator(id: $id) { id name createdAt disabledAt } }`;

/** How the instance is doing. */
export const INSTANCE_HEALTH = `
  query InstanceHealth {
    instanceHealth {
      version problems outboxWaiting outboxLagSeconds
      tenants { active suspended deleted }
      migrations { applied expected latest }
      encoders { name ready detail }
      workers { version alive beatAt startedAt }
    }
  }`;

/** What operators did. */
export const OPERATOR_LOG = `
  query OperatorLog($first: Int!, $after: String) {
    operatorLog(first: $first, after: $after) {
      nodes { seq at operatorId action subjectKind subjectId details hash }
      pageInfo { hasNextPage endCursor }
    }
  }`;

/** Checks the chain of what operators did. */
export const VERIFY_OPERATOR_LOG = `
  query VerifyOperatorLog {
    verifyOperatorLog { intact complete checked firstBadSeq fault headSeq headHash endCursor }
  }`;

const QUOTA_FIELDS = `
  fragment QuotaFields on TenantQuota {
    tenantId
    quota { memories bytes embeddingsPerDay userPointsPerMinute tenantPointsPerMinute }
    usage { memories bytes embeddingsToday }
  }`;

/** What a tenant may keep and do, or the defaults of the instance. */
export const QUOTA = `query Quota($tenantId: ID) { quota(tenantId: $tenantId) { ...QuotaFields } } ${QUOTA_FIELDS}`;

/** Changes what a tenant may keep and do. */
export const SET_QUOTA = `
  mutation SetQuota($tenantId: ID!, $input: QuotaInput!) {
    setQuota(tenantId: $tenantId, input: $input) { ...QuotaFields }
  }
  ${QUOTA_FIELDS}`;

/** Changes what holds for tenants whose quota says nothing else. */
export const SET_DEFAULT_QUOTA = `
  mutation SetDefaultQuota($input: QuotaInput!) { setDefaultQuota(input: $input) { ...QuotaFields } } ${QUOTA_FIELDS}`;
