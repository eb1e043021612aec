export { confirmSend, outcomeUnknown } from './confirm.ts';
export { readNumber, readNumbers } from './number.ts';
export { checkText, readText, type TextOptions } from './text.ts';
export { understandNumber, type UnderstoodNumber } from './understand.ts';
