/** What a browser without scripts may send: one chunk. */
export const SMALL_FILE_BYTES_MAX = 8 * 1024 * 1024;
