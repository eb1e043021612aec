export interface ManOptions {
  /** Folder of manual pages that contains `man1`. */
  readonly dir?: string;
}
