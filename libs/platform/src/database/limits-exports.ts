export {
  type BucketState,
  type ChargedPoints,
  chargePoints,
  type PointsAsked,
} from './repositories/points.repository.js';
export {
  changeDefaultQuota,
  changeQuota,
  type DayRecord,
  type KeptBy,
  type QuotaChanges,
  type QuotaColumn,
  type QuotaRecord,
  readMyQuota,
  readTenantQuota,
  readUsage,
  readUsageDays,
  usageByProject,
  usageByUser,
  type UsageMeasure,
  type UsageRecord,
} from './repositories/usage.repository.js';
