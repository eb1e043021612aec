import { join } from 'node:path';

/** Returns the folder of session files below the config folder. */
export function sessionsFolder(configFolder: string): string {
  return join(configFolder, 'sessions');
}
