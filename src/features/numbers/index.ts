export { understandNumber, type UnderstoodNumber } from './understand.ts';
