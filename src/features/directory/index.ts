export { Directory, type Lookup } from './directory.ts';
