export { fetchAttachmentOf } from './fetch-attachment.ts';
export { readyFolder } from './fetch-file.ts';
export type { Existing } from './fetch-options.ts';
export { checkTemplate, FileNames } from './file-name.ts';
export { addToManifest, nameInManifest, readManifest } from './manifest.ts';
export { runDownloads, type DownloadItem, type DownloadOutcome, type FileUnderWay } from './run-downloads.ts';
export { endsLookups, endsRun, untrustedHost } from './download-failure.ts';
export { LookupQueue, needsLookup } from './lookup-queue.ts';
