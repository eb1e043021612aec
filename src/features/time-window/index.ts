export { dateFilter, readWindow } from './window.ts';
