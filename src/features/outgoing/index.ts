export { confirmRequest, outcomeUnknown, searchOf } from './confirm.ts';
export { openAttachments, openDocuments } from './documents.ts';
export {
  runsThatSent,
  runsWithTexts,
  type NewTexts,
  type SentInRun,
  type TextOutcome,
  type TextsInRun,
} from './open-texts.ts';
export { readCorrespondent, readNumber, readNumbers, readShortCode } from './number.ts';
export { readTextList, settledResult, type TextList } from './text-list.ts';
export {
  batchOf,
  batchWork,
  bodyOf,
  keyOf,
  textItem,
  textRunKind,
  textWork,
  sendText,
  type TextPayload,
  type TextRunDetail,
} from './text-run.ts';
export { checkText, readText, sizeOfText } from './text.ts';
export { isShortCode, understandNumber, type UnderstoodNumber } from './understand.ts';
