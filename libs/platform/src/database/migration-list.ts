/**
 * The migrations this code was written for, in order. The start check compares them with what the database has; a test
 * compares them with `prisma/migrations`.
 */
export const migrationNames: readonly string[] = [
  '20261130000001_tables',
  '20261130000002_who_asks',
  '20261130000003_row_security',
  '20261130000004_grants',
  '20261130000005_upkeep',
  '20261130000006_before_a_tenant_is_known',
  '20261130000007_shared_scopes',
  '20261130000008_identity',
  '20261130000009_limits',
  '20261130000010_administration',
  '20261130000011_one_voice',
  '20261130000012_snapshot_memory',
  '20261130000013_large_tenants',
  '20261130000020_proofs',
  '20261130000021_edits',
  '20261130000040_fair_claims',
  '20261130000042_counted_captures',
  '20261130000043_past_audiences',
  '20261130000044_copied_audiences',
  '20261130000045_one_look',
  '20261130000047_ranks_and_departures',
  '20261130000048_fair_limits',
  '20261130000050_loans_at_once',
  '20261130000051_neighbours_lost',
  '20261130000052_supersession',
  '20261130000053_conflicts_and_the_past',
  '20261130000057_memory_days',
  '20261130000061_lending_order',
];
