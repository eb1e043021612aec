export { compareItems, type AccountItem, type Difference } from './compare.ts';
export {
  makeExportFolder,
  readFolder,
  replacedExport,
  requireExport,
  requireNoEdits,
  requireSameService,
  writeFolder,
  type AccountFolder,
  type AccountTexts,
} from './folder.ts';
export { fileOf, partNames, planCommandOf, type PartName } from './parts.ts';
