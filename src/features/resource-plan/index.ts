export { noteOpenResources, resumeResources, runResources } from './apply.ts';
export { requireSameResources, resourceDrift } from './drift.ts';
export type {
  ChangeReceipt,
  DesiredResource,
  PresentResource,
  ResourceChange,
  ResourceKind,
  ResourcePlan,
  ResourceRef,
  Value,
  Values,
} from './change.ts';
export { exportItems } from './export-items.ts';
export {
  applyResourceFile,
  planResourceFile,
  type ResourceFile,
  type ResourceFiles,
} from './file-commands.ts';
export { requireDialectOfRun } from './dialect.ts';
export { compareResources, findDrift, show } from './compare.ts';
export {
  areResourceLimits,
  guardResources,
  requireWithinResourceLimits,
  resourceGuardText,
  type ResourceLimits,
} from './limits.ts';
export { findNumberProblems, type NumberHolder } from './numbers.ts';
export { omittedValues, warnOfOmitted } from './omitted-values.ts';
export { isAsDesired, isSameValue, isTrimmedText } from './same-value.ts';
export {
  areChanges,
  looksLikeResourcePlan,
  readResourcePlan,
  toResourcePlanDocument,
  writeResourcePlan,
} from './plan-file.ts';
export {
  expectedText,
  extensionNumberForm,
  fileValues,
  nestValues,
  notRemovable,
  readResourceFile,
  readValue,
  type FileForm,
  type FileResource,
  type FileResources,
  type SettingSpec,
} from './read-yaml.ts';
export {
  countResourceRequests,
  invertResources,
  journalResources,
  partlyCreated,
  resourceSends,
  resourceWork,
} from './run.ts';
export { requireSameNames, type PlannedName } from './same-names.ts';
export { resourcePlanText, resourceSummary } from './text.ts';
export { isChangeOfCompany, whoChanged, whoChangedCompany } from './who-changed.ts';
export { yamlText } from './yaml-text.ts';
