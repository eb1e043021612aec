export { debugLines } from './debug-lines.ts';
export { harFile } from './har-file.ts';
export { tracedHttp } from './traced-http.ts';
