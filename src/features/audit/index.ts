export { whoChanged } from './who-changed.ts';
