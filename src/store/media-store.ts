/** The content of attachments, addressed by its SHA-256. Identical files are stored once. */
export interface MediaStore {
  /** Folder or address for messages to the user, without secrets. */
  readonly location: string;
  /** Local folder for partial downloads, which the next run resumes. */
  readonly unfinished: string;
  /** Folder that earlier versions used for partial downloads, if it differs. */
  readonly earlierUnfinished?: string;
  /** Moves a complete local file into the store. The file appears complete or not at all; the local file is deleted. */
  put(file: string, content: { readonly sha256: string; readonly bytes: number }): Promise<void>;
  /** Returns the content. @throws if it is missing. */
  read(sha256: string): Promise<Uint8Array>;
  /** Returns whether there is content with this SHA-256, without reading it. */
  has(sha256: string): Promise<boolean>;
  /**
   * Returns the SHA-256 of the stored content; undefined if it is missing.
   * @throws `MediaFileError` if only this content cannot be read
   */
  hash(sha256: string): Promise<string | undefined>;
  /**
   * Deletes the content. @returns false if content that other archives may use remains.
   * @throws `MediaFileError` if only this content cannot be deleted
   */
  remove(sha256: string): Promise<boolean>;
}
