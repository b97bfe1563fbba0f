/** A file that a browser sent, kept until it is read. */
export interface Upload {
  /** Absolute path of the file here. */
  readonly path: string;
  /** As the sender called it, without folders. */
  readonly name: string;
  readonly bytes: number;
}

export interface Uploads {
  /** Keeps what comes, readable by this host alone. Errors: UPLOAD_TOO_LARGE, DATA_DIR_UNWRITABLE; what came is removed then. */
  receive(name: string, content: AsyncIterable<Uint8Array>): Promise<Upload>;
  remove(upload: Upload): Promise<void>;
  /** What a host that was stopped in the middle left behind. */
  removeLeftovers(): Promise<void>;
}
