export { parseBaseUrl } from '../platform/base-url.ts';
