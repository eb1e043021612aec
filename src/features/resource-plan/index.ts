export {
  announceResources,
  applyResources,
  noteOpenResources,
  requireSameResources,
  resumeResources,
  runResources,
  type ResourceApplication,
  type ResourceApplyOptions,
} from './apply.ts';
export {
  isSameValue,
  type ChangeReceipt,
  type DesiredResource,
  type PresentResource,
  type ResourceChange,
  type ResourceKind,
  type ResourcePlan,
  type ResourceRef,
  type Value,
  type Values,
} from './change.ts';
export {
  applyResourceFile,
  planResourceFile,
  type ResourceFile,
  type ResourceFiles,
} from './file-commands.ts';
export { compareResources, findDrift, show } from './compare.ts';
export {
  guardResources,
  requireWithinResourceLimits,
  resourceGuardText,
  sizeOf,
  type ResourceGuard,
  type ResourceLimits,
} from './limits.ts';
export {
  areChanges,
  looksLikeResourcePlan,
  readResourcePlan,
  toResourcePlanDocument,
  writeResourcePlan,
  type ResourcePlanDocument,
} from './plan-file.ts';
export {
  nestValues,
  readResourceFile,
  readValue,
  type FileForm,
  type FileResource,
  type FileResources,
  type SettingSpec,
} from './read-yaml.ts';
export { resourcePlanOutput } from './plan-document.rows.ts';
export { resourceOutput, resourceRows, resourceRowsOf, type ResourceRow } from './resource.rows.ts';
export {
  countResourceRequests,
  invertResources,
  journalResources,
  resourceSends,
  resourceWork,
  type ResourceRunDetail,
} from './run.ts';
export { resourcePlanText, resourceSummary } from './text.ts';
export { whoChanged } from './who-changed.ts';
