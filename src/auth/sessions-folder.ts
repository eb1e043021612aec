import { join } from 'node:path';

/** The folder of session files below the config folder. */
export function sessionsFolder(configFolder: string): string {
  return join(configFolder, 'sessions');
}
