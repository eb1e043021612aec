/** Returns the name of a file of the user in messages. */
export function nameOf(file: string): string {
  return file === '-' ? 'standard input' : file;
}
