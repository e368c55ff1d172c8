/*
 * What governs a tenant: settings, recall rules, and the audit of what was done.
 */

const SETTING_FIELDS = `
  fragment SettingFields on Setting {
    key value projectValue tenantValue defaultValue type scope min max choices unit summary
  }`;

/** Every setting with its range and what is in force. */
export const SETTINGS = `
  query Settings($project: String) { settings(project: $project) { ...SettingFields } } ${SETTING_FIELDS}`;

/** Sets a key. */
export const SET_SETTING = `
  mutation SetSetting($input: SetSettingInput!) { setSetting(input: $input) { ...SettingFields } } ${SETTING_FIELDS}`;

/** Takes a value away. */
export const RESET_SETTING = `
  mutation ResetSetting($input: ResetSettingInput!) { resetSetting(input: $input) { ...SettingFields } }
  ${SETTING_FIELDS}`;

const RULE_FIELDS = `
  fragment RuleFields on RecallRule {
    id name level position enabled effect factor maxItems
    conditions { authors files kinds maxAgeDays minAgeDays pinned scopes tags }
  }`;

/** The recall rules of the caller's questions, in order. */
export const RECALL_RULES = `
  query RecallRules($project: String) { recallRules(project: $project) { ...RuleFields } } ${RULE_FIELDS}`;

/** Makes a rule. */
export const CREATE_RECALL_RULE = `
  mutation CreateRecallRule($input: RecallRuleInput!, $level: RuleLevel!, $project: String) {
    createRecallRule(input: $input, level: $level, project: $project) { ...RuleFields }
  }
  ${RULE_FIELDS}`;

/** Puts another rule in the place of one. */
export const UPDATE_RECALL_RULE = `
  mutation UpdateRecallRule($id: ID!, $input: RecallRuleInput!) {
    updateRecallRule(id: $id, input: $input) { ...RuleFields }
  }
  ${RULE_FIELDS}`;

/** Takes a rule away. */
export const DELETE_RECALL_RULE = `
  mutation DeleteRecallRule($id: ID!) { deleteRecallRule(id: $id) { ...RuleFields } } ${RULE_FIELDS}`;

/** What was done in the tenant. */
export const AUDIT_LOG = `
  query AuditLog($first: Int!, $after: String, $filter: AuditFilter) {
    auditLog(first: $first, after: $after, filter: $filter) {
      nodes { seq at actorKind actorId action subjectKind subjectId details hash }
      pageInfo { hasNextPage endCursor }
    }
  }`;

/** The audit as lines of a file. */
export const EXPORT_AUDIT = `
  query ExportAudit($first: Int!, $after: String) {
    exportAudit(first: $first, after: $after) { lines pageInfo { hasNextPage endCursor } }
  }`;

/** Checks the chain of the audit. */
export const VERIFY_AUDIT = `
  query VerifyAudit($after: String, $head: KeptHeadInput) {
    verifyAudit(after: $after, head: $head) { intact complete checked firstBadSeq fault headSeq headHash endCursor }
  }`;
