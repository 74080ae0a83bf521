/** The limit for uploads without JavaScript: one chunk. */
export const SMALL_FILE_BYTES_MAX = 8 * 1024 * 1024;
