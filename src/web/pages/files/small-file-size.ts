/** Without JavaScript, an upload is a single chunk. */
export const SMALL_FILE_BYTES_MAX = 8 * 1024 * 1024;
