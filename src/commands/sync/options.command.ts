export { copyOptions, type CopyOptions } from '../../runtime/copy-options.ts';
