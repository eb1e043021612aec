export interface ManOptions {
  /** Folder of manual pages that holds `man1`. */
  readonly dir?: string;
}
