export { queueFileForm } from './file-form.ts';
export { newQueueKey, queueSettings, queueSettingsKind, readQueueSettings } from './kind.ts';
